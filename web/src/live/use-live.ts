import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Event } from '../api/client.ts';
import { type Feed, follow } from './live.ts';

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
