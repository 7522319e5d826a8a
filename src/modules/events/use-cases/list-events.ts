import type { EventType } from '../../../kernel/event-types.ts';
import { readCursor, type SealedCursors } from '../../../platform/shared/cursor.ts';
import { eventListWith, type FeedRow, newestEventsWith } from '../queries/events.ts';
import type { EventDeps } from './deps.ts';
import { eventData } from './event-view.ts';

export interface EventView {
  readonly id: string;
  readonly type: EventType;
  readonly at: string;
  readonly debtId: string | null;
  readonly campaignId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventPage {
  readonly items: EventView[];
  /** Where to go on: also at the end, where the page is empty and the cursor stays. */
  readonly nextCursor: string;
}

interface Position {
  readonly place: number;
  readonly seq: number;
}

const BEFORE_ALL: Position = { place: 0, seq: 0 };

const position = ([place, seq]: readonly unknown[]): Position | null =>
  isCount(place) && isCount(seq) ? { place, seq } : null;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Systems keep the cursor of the feed for long, so that those from before cursors were sealed hold too. */
const positionOf = (cursors: SealedCursors, clientId: string, cursor: string | undefined): Position =>
  (cursor?.includes('.') === true
    ? cursors.read('events', clientId, cursor, position)
    : readCursor(cursor, position)) ?? BEFORE_ALL;

const view = (row: FeedRow): EventView => ({
  id: row.id,
  // The feed has no test events.
  type: row.type as EventType,
  at: row.at.toISOString(),
  debtId: row.debtId,
  campaignId: row.campaignId,
  data: eventData(row),
});

interface ListInput {
  readonly clientId: string;
  readonly sandbox?: boolean | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Begins with this many of the newest events instead of the oldest. */
  readonly last?: number | undefined;
}

/** Lists the changes of a client's debts and campaigns, the oldest first. */
export const listEvents =
  (deps: Pick<EventDeps, 'db' | 'cursors'>) =>
  async (input: ListInput): Promise<EventPage> => {
    const { clientId, sandbox, limit, cursor, last } = input;
    if (last !== undefined) return listNewest(deps, { clientId, sandbox, last });
    const after = positionOf(deps.cursors, clientId, cursor);
    const page = { clientId, afterPlace: after.place, afterSeq: after.seq, limit };
    const rows = await deps.db.readPrepared(
      { clientId },
      eventListWith(sandbox),
      sandbox === undefined ? page : { ...page, sandbox },
    );
    const end = rows.at(-1);
    // A sealed cursor is another text each time, and the end is one that stays the same.
    if (end === undefined && cursor !== undefined) return { items: [], nextCursor: cursor };
    const { place, seq } = end ?? after;
    return { items: rows.map(view), nextCursor: deps.cursors.write('events', clientId, place, seq) };
  };

/** The page ends with the newest event that the feed shows, so that a reader who goes on from there misses none. */
async function listNewest(
  { db, cursors }: Pick<EventDeps, 'db' | 'cursors'>,
  { clientId, sandbox, last }: { clientId: string; sandbox: boolean | undefined; last: number },
): Promise<EventPage> {
  const page = { clientId, limit: Math.max(1, last) };
  const rows = await db.readPrepared(
    { clientId },
    newestEventsWith(sandbox),
    sandbox === undefined ? page : { ...page, sandbox },
  );
  const { place, seq } = rows[0] ?? BEFORE_ALL;
  return {
    items: rows.slice(0, last).toReversed().map(view),
    nextCursor: cursors.write('events', clientId, place, seq),
  };
}
