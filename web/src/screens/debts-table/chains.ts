/** Debts of one page. */
export const PAGE_SIZE = 100;
/** How many pages are asked for before they are seen. */
export const PAGES_AHEAD = 3;

export type End = 'head' | 'tail';

/**
 * The cursors with which pages can be asked for. A page's cursor is known once the page before it is here, so pages are
 * walked from an end of the list: from its head, and from its tail by the opposite order.
 */
export type Chains = Readonly<Record<End, readonly string[]>>;

export const newChains = (): Chains => ({ head: [''], tail: [''] });

/** Returns the chains with the cursor that follows a page; a later page's cursor is dropped when its own changed. */
export function withNext(chains: Chains, end: End, page: number, next: string | null): Chains {
  const chain = chains[end];
  if (next === null || page >= chain.length || chain[page + 1] === next) return chains;
  return { ...chains, [end]: [...chain.slice(0, page + 1), next] };
}

export interface Place {
  readonly end: End;
  readonly page: number;
  /** The position within the page. */
  readonly at: number;
}

const pageOf = (index: number): number => Math.floor(index / PAGE_SIZE);

/** How many pages have to be walked before this one can be shown. */
const missing = (chain: readonly string[], page: number): number => Math.max(0, page - (chain.length - 1));

/** Where the debt at a position of the whole list is found: on the page that is reached sooner. */
export function placeOf(index: number, total: number, chains: Chains, hasTail: boolean): Place {
  const fromTail = total - 1 - index;
  const head = { end: 'head', page: pageOf(index), at: index % PAGE_SIZE } as const;
  if (!hasTail || fromTail < 0) return head;
  const tail = { end: 'tail', page: pageOf(fromTail), at: fromTail % PAGE_SIZE } as const;
  return missing(chains.tail, tail.page) < missing(chains.head, head.page) ? tail : head;
}

export interface Walk {
  readonly end: End;
  /** The first page that is not known to be here. */
  readonly from: number;
  /** The first page that is to be seen. */
  readonly wanted: number;
  readonly to: number;
}

/** The pages to ask for, one after the other, so that the positions can be shown and the next ones are here in time. */
export function walksFor(
  { first, last }: { readonly first: number; readonly last: number },
  total: number,
  chains: Chains,
  hasTail: boolean,
): readonly Walk[] {
  const lastPage = Math.max(0, pageOf(total - 1));
  const places = [placeOf(first, total, chains, hasTail), placeOf(last, total, chains, hasTail)];
  return (['head', 'tail'] as const).flatMap((end) => {
    const pages = places.filter((place) => place.end === end).map(({ page }) => page);
    if (pages.length === 0) return [];
    const wanted = Math.min(...pages);
    const from = Math.min(wanted, chains[end].length - 1);
    return [{ end, from, wanted, to: Math.min(lastPage, Math.max(...pages) + PAGES_AHEAD) }];
  });
}
