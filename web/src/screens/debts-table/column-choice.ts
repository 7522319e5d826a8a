import { useState } from 'react';

export const COLUMN_KEYS = [
  'name',
  'amount',
  'owedToday',
  'dueDate',
  'status',
  'next',
  'campaign',
  'invoice',
  'phone',
  'score',
] as const;
export type ColumnKey = (typeof COLUMN_KEYS)[number];

const SHOWN_AT_FIRST: readonly ColumnKey[] = ['name', 'amount', 'dueDate', 'status', 'next', 'campaign'];
const KEY = 'quita-debt-columns';

/** Reads a kept choice: known names alone, in the order of the table, the name of the person always among them. */
export function parseChoice(kept: string | null): readonly ColumnKey[] {
  if (kept === null) return SHOWN_AT_FIRST;
  const names = kept.split(',');
  return COLUMN_KEYS.filter((key) => key === 'name' || names.includes(key));
}

const read = (): readonly ColumnKey[] => {
  try {
    return parseChoice(localStorage.getItem(KEY));
  } catch {
    return SHOWN_AT_FIRST;
  }
};

/** The columns of the table, kept in this browser by their names. */
export function useColumnChoice(): readonly [readonly ColumnKey[], (next: readonly ColumnKey[]) => void] {
  const [chosen, choose] = useState(read);
  return [
    chosen,
    (next) => {
      choose(parseChoice(next.join(',')));
      try {
        localStorage.setItem(KEY, next.join(','));
      } catch {
        // Without storage the choice holds until the page is left.
      }
    },
  ];
}
