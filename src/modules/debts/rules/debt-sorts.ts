/** By what staff may sort debts. Debts that agree in it are sorted by their ids. */
export const DEBT_SORT_KEYS = ['createdAt', 'dueDate', 'amount', 'name', 'status', 'nextContactAt'] as const;
export type DebtSortKey = (typeof DEBT_SORT_KEYS)[number];

/** A key, with `-` before it for the opposite order. */
export type DebtSortName = DebtSortKey | `-${DebtSortKey}`;

export interface DebtSort {
  readonly by: DebtSortKey;
  readonly descending: boolean;
}

export const DEBT_SORT_NAMES: readonly DebtSortName[] = DEBT_SORT_KEYS.flatMap((key) => [key, `-${key}` as const]);

/** The debts that were imported last come first. */
export const DEFAULT_DEBT_SORT: DebtSortName = '-createdAt';

export const debtSortOf = (name: DebtSortName): DebtSort => {
  const descending = name.startsWith('-');
  return { by: (descending ? name.slice(1) : name) as DebtSortKey, descending };
};
