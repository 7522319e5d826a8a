import { useQuery } from '@tanstack/react-query';
import type { ChangeDebtsBody, FoundDebt } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { DEBT_STATUS, type DebtStatus, type InboxReason } from '../../texts/words.ts';

export type BulkAction = ChangeDebtsBody['action'];
type Filter = NonNullable<ChangeDebtsBody['search']>;

export const BULK_ACTIONS: readonly BulkAction[] = ['resume', 'snooze', 'withdraw'];

/** The debts that an action is for: some that are marked by hand, or all that a search finds. */
export type Chosen = (
  | { readonly kind: 'some'; readonly ids: readonly string[] }
  | { readonly kind: 'all'; readonly search: Filter; readonly count: number }
) & {
  /** What the screen knows of them by their ids, which may be some of them only. */
  readonly known: ReadonlyMap<string, KnownDebt>;
};

export interface KnownDebt extends Pick<FoundDebt, 'debtorName' | 'status'> {
  /** What it waits for. */
  readonly reasons: readonly InboxReason[];
}

const WAITING: readonly DebtStatus[] = ['DISPUTED', 'ON_HOLD'];
const ALL = Object.keys(DEBT_STATUS) as DebtStatus[];

/** The statuses in which an action can do something. The server decides for each debt. */
const POSSIBLE: Readonly<Record<BulkAction, readonly DebtStatus[]>> = {
  resume: [...WAITING, 'EXHAUSTED', 'UNREACHABLE'],
  snooze: WAITING,
  // An agreement is cancelled first.
  withdraw: ALL.filter((status) => status !== 'PAID' && status !== 'STOPPED' && status !== 'AGREEMENT'),
};

/**
 * A debt that is not known may be one that can be changed. Money to give back waits for somebody in each status, and an
 * agreement that was stopped waits until it is resumed.
 */
const isPossible = (action: BulkAction, debt: KnownDebt | undefined): boolean => {
  if (debt === undefined || POSSIBLE[action].includes(debt.status)) return true;
  if (debt.reasons.length === 0) return false;
  return action === 'snooze' || (action === 'resume' && debt.status === 'AGREEMENT');
};

export const countOf = (chosen: Chosen): number => (chosen.kind === 'all' ? chosen.count : chosen.ids.length);

/** The number of debts that a search finds now. */
export const countNow = async (search: Filter): Promise<number> =>
  (await quita.searchDebts({ body: { ...search, limit: 1 } })).total;

/** How many of the chosen debts an action can change; null while that is not known. */
export function usePossible(action: BulkAction, chosen: Chosen): number | null {
  const search = chosen.kind === 'all' ? chosen.search : {};
  const status = POSSIBLE[action].filter((one) => search.status == null || search.status.includes(one));
  const counted = useQuery({
    queryKey: ['debts', 'possible', action, search],
    queryFn: () => (status.length === 0 ? 0 : countNow({ ...search, status })),
    enabled: chosen.kind === 'all',
    placeholderData: undefined,
  });
  if (chosen.kind === 'all') return counted.data ?? null;
  return chosen.ids.filter((id) => isPossible(action, chosen.known.get(id))).length;
}

const WANTS_ANSWER: ReadonlySet<InboxReason> = new Set([
  'disputed',
  'negotiate',
  'hardship',
  'human',
  'said_paid',
  'question',
]);

/** How many of the debts that are marked by hand are of people who asked something and would get a reminder instead. */
export function countUnanswered(chosen: Chosen): number {
  if (chosen.kind === 'all') return 0;
  return chosen.ids.filter((id) => chosen.known.get(id)?.reasons.some((reason) => WANTS_ANSWER.has(reason))).length;
}
