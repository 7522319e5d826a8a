import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { GetDebtResult, ListTimelineResult } from '../api/client.ts';
import { quita } from '../api/quita.ts';

type Entries = GetDebtResult['timeline'];

const PAGE = 100;

/** Reads so many pages before the end of the timeline, the oldest entry first. */
async function readOlder(id: string, from: string, pages: number): Promise<{ entries: Entries; hasMore: boolean }> {
  const entries: Entries = [];
  let cursor: string | null = from;
  for (let page = 0; page < pages && cursor !== null; page += 1) {
    const { items, nextCursor }: ListTimelineResult = await quita.listTimeline({
      path: { id },
      query: { limit: PAGE, cursor },
    });
    entries.push(...items);
    cursor = nextCursor;
  }
  return { entries: entries.reverse(), hasMore: cursor !== null };
}

/**
 * The debt comes with the end of its timeline; what is before is read when it is asked for. New entries move that end,
 * and the pages before it are then read again.
 */
export function useTimeline({ id, timeline, timelineCursor }: GetDebtResult) {
  const [pages, setPages] = useState(0);
  const older = useQuery({
    queryKey: ['debt', id, 'timeline', timelineCursor, pages],
    queryFn: () => readOlder(id, timelineCursor ?? '', pages),
    enabled: timelineCursor !== null && pages > 0,
  });
  const before = timelineCursor === null || pages === 0 ? undefined : older.data;
  return {
    timeline: before === undefined ? timeline : [...before.entries, ...timeline],
    hasOlder: timelineCursor !== null && (before?.hasMore ?? true),
    isReading: older.isFetching,
    readOlder: () => setPages(pages + 1),
  };
}
