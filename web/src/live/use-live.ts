import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Event } from '../api/client.ts';
import { quita } from '../api/quita.ts';
import { isStale, staleAfter } from './stale.ts';

/** How many of the newest events a console begins with. */
const BEGIN_WITH = 30;
const KEPT = 60;

interface Feed {
  readonly events: readonly Event[];
  readonly cursor: string | null;
}

/** Asks for what is new, marks older data stale, and returns the newest events, the newest first. */
async function follow(feed: Feed, client: QueryClient): Promise<Feed> {
  const query = feed.cursor === null ? { last: BEGIN_WITH } : { cursor: feed.cursor, limit: 100 };
  const { items, nextCursor } = await quita.listEvents({ query });
  if (feed.cursor !== null && items.length > 0) {
    const stale = staleAfter(items);
    await client.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey, stale) });
  }
  const known = new Set(items.map(({ id }) => id));
  const events = [...items.toReversed(), ...feed.events.filter(({ id }) => !known.has(id))].slice(0, KEPT);
  return { events, cursor: nextCursor };
}

const KEY = ['events'] as const;

/** How often a screen asks: the simulator, a screen on which something runs, and any other. None asks while hidden. */
export const PACE = { simulator: 1_000, running: 2_000, still: 15_000 } as const;

/** Follows the company's changes and returns the newest, the newest first. The screens of one tab share one feed. */
export function useLive(pace: number = PACE.still): readonly Event[] {
  const client = useQueryClient();
  const { data } = useQuery<Feed>({
    queryKey: KEY,
    queryFn: () => follow(client.getQueryData<Feed>(KEY) ?? { events: [], cursor: null }, client),
    refetchInterval: pace,
    staleTime: 0,
    structuralSharing: false,
  });
  return data?.events ?? [];
}
