/** The debts that are marked: some by hand, or all that the search finds. */
export type Selection =
  | { readonly kind: 'some'; readonly ids: ReadonlySet<string> }
  | { readonly kind: 'all'; readonly count: number };

export const NONE: Selection = { kind: 'some', ids: new Set() };

/** The most debts that one action takes by their ids, and by a search. */
export const MAX_BY_HAND = 1_000;
export const MAX_BY_SEARCH = 10_000;

export const countOf = (selection: Selection): number =>
  selection.kind === 'all' ? selection.count : selection.ids.size;

export const isMarked = (selection: Selection, id: string): boolean =>
  selection.kind === 'all' || selection.ids.has(id);

/** Marks a debt, or takes its mark away. What is more than an action takes is not marked. */
export function toggleOne(selection: Selection, id: string): Selection {
  if (selection.kind === 'all') return selection;
  const ids = new Set(selection.ids);
  if (!ids.delete(id) && ids.size < MAX_BY_HAND) ids.add(id);
  return { kind: 'some', ids };
}
