import { sql } from 'kysely';
import { TEST_EVENT } from '../../../kernel/event-types.ts';
import { NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

interface FeedPage {
  readonly clientId: string;
  /** The event after which the page begins. */
  readonly afterPlace: number;
  readonly afterSeq: number;
  readonly limit: number;
}

export const EVENT_COLUMNS = [
  'events.seq',
  'events.id',
  'events.type',
  'events.at',
  'events.debtId',
  'events.campaignId',
  'events.sandbox',
  'events.data',
] as const;

/** What the client is told as `sequence`. */
export const NUMBER_OF_EVENT = sql<number>`coalesce(events.number, events.seq)`.as('number');

/** The client's own number of the bill, by which its systems book an event without asking for the debt. */
export const INVOICE_OF_EVENT = sql<string | null>`(select invoice_id from debts where debts.id = events.debt_id)`.as(
  'invoiceId',
);

/**
 * The numbers of transactions begin anew when a dump is restored into another server, and the runbook then sets all places
 * to 0. A cursor from before has a place that no transaction has reached yet: its `seq` alone counts.
 */
const placeOfCursor = (place: number) =>
  sql<number>`case when ${place}::bigint < pg_snapshot_xmax(pg_current_snapshot())::text::bigint then ${place}::bigint else 0 end`;

/**
 * Lists the events of a client in the order of the feed. An event is shown once every transaction that may still write
 * an earlier place has ended, so that a reader who goes on from its last event misses none.
 */
const feed = (bySandbox: boolean) =>
  prepared(`list_events${bySandbox ? '_sandbox' : ''}`, (queries, params: FeedPage & { readonly sandbox?: boolean }) =>
    queries
      .selectFrom('events')
      .select([...EVENT_COLUMNS, INVOICE_OF_EVENT, NUMBER_OF_EVENT])
      .select('events.place')
      .where('events.clientId', '=', params.clientId)
      .where('events.place', '<', sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`)
      .where('events.type', '<>', TEST_EVENT)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('events.place', 'events.seq'), '>', tuple(placeOfCursor(params.afterPlace), params.afterSeq)),
      )
      .$if(bySandbox, (query) => query.where('events.sandbox', '=', sql<boolean>`${params.sandbox}`))
      .orderBy('events.place')
      .orderBy('events.seq')
      .limit(params.limit),
  );

const LIST_EVENTS = feed(false);
const LIST_EVENTS_SANDBOX = feed(true);
export const eventListWith = (sandbox: boolean | undefined) =>
  sandbox === undefined ? LIST_EVENTS : LIST_EVENTS_SANDBOX;

/** Lists the newest events that the feed shows, the newest first, by the same index read backwards. */
const newest = (bySandbox: boolean) =>
  prepared(
    `newest_events${bySandbox ? '_sandbox' : ''}`,
    (queries, params: Pick<FeedPage, 'clientId' | 'limit'> & { readonly sandbox?: boolean }) =>
      queries
        .selectFrom('events')
        .select([...EVENT_COLUMNS, INVOICE_OF_EVENT, NUMBER_OF_EVENT])
        .select('events.place')
        .where('events.clientId', '=', params.clientId)
        .where('events.place', '<', sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`)
        .where('events.type', '<>', TEST_EVENT)
        .$if(bySandbox, (query) => query.where('events.sandbox', '=', sql<boolean>`${params.sandbox}`))
        .orderBy('events.place', 'desc')
        .orderBy('events.seq', 'desc')
        .limit(params.limit),
  );

const NEWEST_EVENTS = newest(false);
const NEWEST_EVENTS_SANDBOX = newest(true);
export const newestEventsWith = (sandbox: boolean | undefined) =>
  sandbox === undefined ? NEWEST_EVENTS : NEWEST_EVENTS_SANDBOX;

export type FeedRow = ReturnType<(typeof LIST_EVENTS)['rowsOf']>[number];
export type EventRow = Omit<FeedRow, 'place'>;

/** Stores a test event, which the feed never shows, and returns its number. */
export const insertTestEvent = (tx: Tx, clientId: string, webhookId: string) =>
  queriesIn(tx)
    .insertInto('events')
    .values({
      clientId,
      type: TEST_EVENT,
      at: NOW,
      sandbox: true,
      data: JSON.stringify({ webhookId }) as never,
      number: 1,
      place: 0,
    })
    .returning('seq')
    .executeTakeFirstOrThrow();
