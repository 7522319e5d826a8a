import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListInboxResult } from '../../api/client.ts';
import { quita } from '../../api/quita.ts';
import type { InboxReason } from '../../texts/words.ts';
import { type Case, casesOf, follow, NOTHING_SEEN, personsOf, type Seen, showFresh, withoutDecided } from './cases.ts';

export type View = 'open' | 'waiting' | 'snoozed';
/** Whose cases are shown: everybody’s, the own ones, or those that nobody has. */
export type Whose = '' | 'me' | 'none';

export interface Queue {
  readonly query: {
    readonly data: unknown;
    readonly error: unknown;
    readonly refetch: () => Promise<unknown>;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
  readonly cases: readonly Case[];
  /** False while the rows are still those of another filter. */
  readonly current: boolean;
  readonly added: number;
  readonly counts: ListInboxResult['counts'] | undefined;
  readonly showFresh: () => void;
  /** Asks the server again and takes away what was decided. Returns what waits now. */
  readonly decide: (ids: readonly string[]) => Promise<readonly Case[]>;
}

/** The queue of a view, a reason and whose cases, which keeps its order while the person works. */
export function useQueue(view: View, reason: InboxReason | '', whose: Whose): Queue {
  const filter = `${view} ${reason} ${whose}`;
  const query = useInfiniteQuery({
    queryKey: ['inbox', view, reason, whose],
    queryFn: ({ pageParam }) =>
      quita.listInbox({
        query: {
          state: view,
          limit: 100,
          by: 'person',
          ...(whose !== '' && { assignee: whose }),
          ...(reason !== '' && { reason }),
          ...(pageParam !== '' && { cursor: pageParam }),
        },
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const [seen, setSeen] = useState<Seen>(NOTHING_SEEN);
  const [taken, setTaken] = useState<unknown>(undefined);
  const { data } = query;
  if (data !== undefined && data !== taken && !query.isPlaceholderData) {
    setTaken(data);
    setSeen(
      follow(seen, { filter, pages: data.pages.length, fresh: casesOf(data.pages.flatMap(({ items }) => items)) }),
    );
  }
  return {
    query,
    cases: personsOf(seen.cases).flat(),
    current: seen.filter === filter,
    added: seen.added,
    counts: data?.pages.at(-1)?.counts,
    showFresh: () => setSeen(showFresh),
    decide: async (ids) => {
      const { data: now, isError } = await query.refetch();
      const pages = now?.pages ?? [];
      const decided = new Set(ids);
      // Without an answer the old one still has what was decided just now.
      const fresh = casesOf(pages.flatMap(({ items }) => items)).filter(({ id }) => !(isError && decided.has(id)));
      setSeen((before) => withoutDecided(follow(before, { filter, pages: pages.length, fresh }), decided));
      return fresh;
    },
  };
}
