import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ChangeDebtsBody, SearchDebtsResult } from '../../api/client.ts';
import { DEBT_STATUS, type DebtStatus } from '../../texts/words.ts';
import type { DebtSearch } from './search.ts';
import type { Selection } from './selection.ts';
import { countNow } from './use-debt-pages.ts';

type Action = ChangeDebtsBody['action'];

const WAITING: readonly DebtStatus[] = ['DISPUTED', 'ON_HOLD'];
const ALL = Object.keys(DEBT_STATUS) as DebtStatus[];

/** The statuses in which an action can do something. The server decides for each debt. */
const POSSIBLE: Readonly<Record<Action, readonly DebtStatus[]>> = {
  resume: [...WAITING, 'EXHAUSTED', 'UNREACHABLE'],
  snooze: WAITING,
  withdraw: ALL.filter((status) => status !== 'PAID' && status !== 'STOPPED'),
};

/** The statuses of debts that are marked by hand, which were shown to be marked. */
function statusesOf(queries: QueryClient, ids: ReadonlySet<string>): ReadonlyMap<string, DebtStatus> {
  const found = new Map<string, DebtStatus>();
  for (const [, page] of queries.getQueriesData<SearchDebtsResult>({ queryKey: ['debts', 'page'] })) {
    for (const { id, status } of page?.items ?? []) if (ids.has(id)) found.set(id, status);
  }
  return found;
}

/** How many of the marked debts an action can change; null while that is not known. */
export function usePossible(action: Action, search: DebtSearch, selection: Selection): number | null {
  const queries = useQueryClient();
  const statuses = POSSIBLE[action].filter((one) => search.status == null || search.status.includes(one));
  const counted = useQuery({
    queryKey: ['debts', 'possible', action, search],
    queryFn: () => (statuses.length === 0 ? 0 : countNow({ ...search, status: statuses })),
    enabled: selection.kind === 'all',
    placeholderData: undefined,
  });
  if (selection.kind === 'all') return counted.data ?? null;
  const known = statusesOf(queries, selection.ids);
  // A debt whose page is no longer kept may be one that can be changed.
  return [...selection.ids].filter((id) => POSSIBLE[action].includes(known.get(id) ?? 'ON_HOLD')).length;
}
