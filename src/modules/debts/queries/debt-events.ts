import { sql } from 'kysely';
import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtEventKind } from '../tables/debt-event.ts';
import { ATTACHMENTS_OF_MESSAGE } from './attachments.ts';

export interface NewDebtEvent {
  readonly kind: DebtEventKind;
  /** The client sees it unchanged. It contains ids, numbers and rule names, never a debtor's words or personal data. */
  readonly data: Readonly<Record<string, unknown>>;
}

const kindsOf = (events: readonly NewDebtEvent[]): string[] => events.map(({ kind }) => kind);
const dataOf = (events: readonly NewDebtEvent[]): string[] => events.map(({ data }) => JSON.stringify(data));

/**
 * Adds events to one debt in the given order. The update locks the debt's row until the end of the transaction, so that
 * concurrent writers keep the timeline in order.
 */
export const insertDebtEvents = (
  tx: Tx,
  debtId: string,
  events: readonly NewDebtEvent[],
  { at, asBooked }: { readonly at: Date; readonly asBooked: boolean },
) => addEvents.run(tx, { debtId, kinds: kindsOf(events), data: dataOf(events), at, asBooked });

interface EventColumns {
  readonly debtId: string;
  readonly kinds: readonly string[];
  readonly data: readonly string[];
  readonly at: Date;
  readonly asBooked: boolean;
}

const entriesOf = (kinds: readonly string[], data: readonly string[]) =>
  sql<{ kind: DebtEventKind; data: object; place: number }>`unnest(
    ${kinds}::text[], ${data}::jsonb[]) with ordinality`.as<'entry'>(sql`entry(kind, data, place)`);

const addEvents = prepared('debt_events_add', (queries, { debtId, kinds, data, at, asBooked }: EventColumns) =>
  queries
    .with('changed', (from) =>
      from
        .updateTable('debts')
        .set({ lastEventAt: sql<Date>`greatest(last_event_at, ${at}::timestamptz)`, updatedAt: NOW })
        .where('id', '=', debtId)
        .returning(['id', 'clientId', 'lastEventAt']),
    )
    .insertInto('debt_events')
    .columns(['clientId', 'debtId', 'at', 'kind', 'data'])
    .expression((from) =>
      from
        .selectFrom(['changed', entriesOf(kinds, data)])
        .select(['changed.clientId', 'changed.id'])
        .select(
          sql<Date>`case when ${asBooked}::boolean then ${at}::timestamptz else changed.last_event_at end`.as('at'),
        )
        .select(['entry.kind', 'entry.data'])
        .orderBy('entry.place'),
    ),
);

interface Advanced {
  readonly status: DebtStatus;
  readonly step: number;
  readonly nextContactAt: Date;
  readonly clockOffsetMs: number;
  readonly at: Date;
}

/** Stores a contact of a live debt, with its events in the given order. */
export const advanceDebt = (
  tx: Tx,
  debtId: string,
  events: readonly NewDebtEvent[],
  advanced: Advanced,
): Promise<unknown> => advance.run(tx, { debtId, kinds: kindsOf(events), data: dataOf(events), ...advanced });

const advance = prepared(
  'debt_advance',
  (
    queries,
    { debtId, kinds, data, at, status, step, nextContactAt, clockOffsetMs }: Omit<EventColumns, 'asBooked'> & Advanced,
  ) =>
    queries
      .with('changed', (from) =>
        from
          .updateTable('debts')
          .set({ status, step, nextContactAt, pausedAt: null, updatedAt: NOW })
          .set({
            lastEventAt: sql<Date>`greatest(last_event_at, ${at}::timestamptz)`,
            clockOffsetMs: sql<number>`greatest(clock_offset_ms, ${clockOffsetMs}::bigint)`,
          })
          .where('id', '=', debtId)
          .returning(['id', 'clientId', 'lastEventAt']),
      )
      .insertInto('debt_events')
      .columns(['clientId', 'debtId', 'at', 'kind', 'data'])
      .expression((from) =>
        from
          .selectFrom(['changed', entriesOf(kinds, data)])
          .select(['changed.clientId', 'changed.id', 'changed.lastEventAt', 'entry.kind', 'entry.data'])
          .orderBy('entry.place'),
      ),
);

/**
 * Adds one event to each of many debts. They are locked in the order of their ids, as every transaction locks debts.
 */
export const insertEventOfEach = (
  tx: Tx,
  events: readonly (NewDebtEvent & { readonly debtId: string; readonly at: Date })[],
) =>
  queriesIn(tx)
    .with('given', (queries) =>
      queries
        .selectFrom(
          sql<{ debtId: string; at: Date; kind: DebtEventKind; data: object }>`unnest(
            ${events.map(({ debtId }) => debtId)}::uuid[], ${events.map(({ at }) => at)}::timestamptz[],
            ${kindsOf(events)}::text[], ${dataOf(events)}::jsonb[])`.as<'given'>(sql`given(debt_id, at, kind, data)`),
        )
        .selectAll(),
    )
    .with('locked', (queries) =>
      queries
        .selectFrom('debts')
        .select('id')
        .where('id', 'in', (from) => from.selectFrom('given').select('given.debtId'))
        .orderBy('id')
        .forNoKeyUpdate(),
    )
    .with('changed', (queries) =>
      queries
        .updateTable('debts')
        .from('given')
        .innerJoin('locked', 'locked.id', 'given.debtId')
        .set({ lastEventAt: sql<Date>`greatest(debts.last_event_at, given.at)`, updatedAt: NOW })
        .whereRef('debts.id', '=', 'given.debtId')
        .returning(['debts.id', 'debts.clientId', 'debts.lastEventAt', 'given.kind', 'given.data']),
    )
    .insertInto('debt_events')
    .columns(['clientId', 'debtId', 'at', 'kind', 'data'])
    .expression((queries) =>
      queries.selectFrom('changed').select(['clientId', 'id', 'lastEventAt', 'kind', 'data']).orderBy('id'),
    )
    .execute();

interface PageOfEvents {
  readonly debtId: string;
  /** Only events that were written before this one. */
  readonly before: number;
  readonly limit: number;
}

/**
 * Returns events of a debt, the newest first. The ids are read from the events before the joins: under row security a comparison with `->>`, which is not leakproof,
 * reaches no index, and each timeline would read all messages of its client.
 */
export const EVENTS_OF_DEBT = prepared('debt_timeline', (queries, { debtId, before, limit }: PageOfEvents) =>
  queries
    .with(
      (cte) => cte('entries').materialized(),
      (from) =>
        from
          .selectFrom('debt_events')
          .select(['seq', 'at', 'kind', 'data'])
          .select([
            sql<string | null>`(data ->> 'messageId')::uuid`.as('messageId'),
            // What the staff wrote about a payment that the client received elsewhere. Such an entry names the method.
            sql<string | null>`case when data ? 'method' then (data ->> 'paymentId')::uuid end`.as('outsideId'),
            sql<string | null>`(data ->> 'noteId')::uuid`.as('noteId'),
          ])
          .where('debtId', '=', debtId)
          .where('seq', '<', sql<number>`${before}::bigint`)
          .orderBy('seq', 'desc')
          .limit(sql<number>`${limit}::int`),
    )
    .selectFrom('entries')
    // A message may speak of several debts, so it may belong to another one.
    .leftJoin('messages', 'messages.id', 'entries.messageId')
    .leftJoin('charges', 'charges.id', 'entries.outsideId')
    .leftJoin('debt_notes', 'debt_notes.id', 'entries.noteId')
    .select('debt_notes.text as noteText')
    .select(['entries.seq', 'entries.at', 'entries.kind', 'entries.data', 'messages.id as messageId', 'charges.note'])
    .select(['messages.channel', 'messages.purpose', 'messages.text', 'messages.delivery', 'messages.intent'])
    .select(['messages.cutFrom', 'messages.staff', ATTACHMENTS_OF_MESSAGE.as('attachments')])
    .orderBy('entries.seq', 'desc'),
);

export type EventOfDebt = ReturnType<typeof EVENTS_OF_DEBT.rowsOf>[number];
