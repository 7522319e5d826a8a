import { type UseQueryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { FoundDebt, SearchDebtsResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import { type End, newChains, PAGE_SIZE, placeOf, walksFor, withNext } from './chains.ts';
import { type DebtSearch, oppositeOf } from './search.ts';

type PageOptions = UseQueryOptions<SearchDebtsResult>;

/** Pages that nobody looks at stay for a while, so that scrolling back is instant. */
const KEPT_MS = 2 * 60_000;
/** A page that was fetched ahead is not fetched again when it is shown soon after. */
const FRESH_MS = 10_000;

const pageOptions = (search: DebtSearch, cursor: string): PageOptions => ({
  queryKey: ['debts', 'page', search, cursor],
  queryFn: ({ signal }) =>
    quita.searchDebts({ body: { ...search, limit: PAGE_SIZE, ...(cursor !== '' && { cursor }) } }, { signal }),
  placeholderData: undefined,
  gcTime: KEPT_MS,
  staleTime: FRESH_MS,
});

/**
 * The search that is shown: the wanted one as soon as its first page is here, until then the one before, so that a
 * change of filters never leaves an empty screen.
 */
export function useShownSearch(wanted: DebtSearch) {
  const first = useQuery(pageOptions(wanted, ''));
  const [settled, settle] = useState(wanted);
  const isHere = first.data !== undefined;
  if (isHere && settled !== wanted) settle(wanted);
  const before = useQuery({ ...pageOptions(settled, ''), enabled: false });
  const data = first.data ?? before.data;
  return { first, search: isHere ? wanted : settled, total: data?.total, isWaiting: !isHere };
}

export interface Shown {
  readonly first: number;
  readonly last: number;
}

/** The debts at the shown positions of a search; null for one that is not here yet. */
export function useDebtPages(search: DebtSearch, total: number, { first, last }: Shown) {
  const client = useQueryClient();
  const opposite = oppositeOf(search.sort);
  const hasTail = opposite !== null;
  const searches = useMemo(
    (): Readonly<Record<End, DebtSearch>> => ({ head: search, tail: { ...search, sort: opposite ?? search.sort } }),
    [search, opposite],
  );
  const walked = useRef({ searches, chains: newChains() });
  if (walked.current.searches !== searches) walked.current = { searches, chains: newChains() };
  const { chains } = walked.current;
  const [, showWalked] = useReducer((count: number) => count + 1, 0);
  const [failure, setFailure] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` walks again after a failure.
  useEffect(() => {
    let current = true;
    const walk = async (): Promise<void> => {
      const mine = walked.current;
      for (const { end, from, wanted, to } of walksFor({ first, last }, total, mine.chains, hasTail)) {
        for (let page = from; page <= to && current; page += 1) {
          const cursor = mine.chains[end][page];
          if (cursor === undefined) break;
          const { nextCursor } = await client.fetchQuery({ ...pageOptions(searches[end], cursor), staleTime: KEPT_MS });
          const next = withNext(mine.chains, end, page, nextCursor);
          const isNews = next !== mine.chains;
          mine.chains = next;
          // A long walk draws nothing before it is near.
          if (current && isNews && page + 1 >= wanted) showWalked();
          if (nextCursor === null) break;
        }
      }
    };
    setFailure(null);
    walk().catch((error: unknown) => {
      if (current) setFailure(error);
    });
    return () => {
      current = false;
    };
  }, [client, searches, first, last, total, hasTail, attempt]);

  const places = useMemo(
    () =>
      Array.from({ length: Math.max(0, Math.min(last, total - 1) - first + 1) }, (_, at) =>
        placeOf(first + at, total, chains, hasTail),
      ),
    [first, last, total, chains, hasTail],
  );
  const pages = useMemo(() => {
    const found = new Map<string, { readonly end: End; readonly page: number; readonly cursor: string }>();
    for (const { end, page } of places) {
      const cursor = chains[end][page];
      if (cursor !== undefined) found.set(`${end} ${page}`, { end, page, cursor });
    }
    return [...found.values()];
  }, [places, chains]);
  const results = useQueries({ queries: pages.map(({ end, cursor }) => pageOptions(searches[end], cursor)) });
  const rowAt = (index: number): FoundDebt | null => {
    const place = places[index - first];
    if (place === undefined) return null;
    const page = pages.findIndex((one) => one.end === place.end && one.page === place.page);
    return results[page]?.data?.items[place.at] ?? null;
  };
  return { rowAt, failure, retry: () => setAttempt(attempt + 1) };
}
