import { type Expression, type QueryCreator, type Selectable, sql } from 'kysely';
import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { NOW, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { EndedByPayment } from '../rules/ended-by-payment.ts';
import type { TimelineEntry, TimelineKind } from '../rules/timeline-entry.ts';
import { ATTACHMENTS_OF_MESSAGE } from './attachments.ts';

const kindsOf = (entries: readonly TimelineEntry[]): string[] => entries.map(({ kind }) => kind);
const dataOf = (entries: readonly TimelineEntry[]): string[] =>
  entries.map(({ kind: _, ...data }) => JSON.stringify(data));

/**
 * Adds entries to the timeline of one debt in the given order. The update locks the debt's row until the end of the
 * transaction, so that concurrent writers keep the timeline in order.
 */
export const insertEntries = (
  tx: Tx,
  debtId: string,
  entries: readonly TimelineEntry[],
  { at, asBooked }: { readonly at: Date; readonly asBooked: boolean },
) => addEvents.run(tx, { debtId, kinds: kindsOf(entries), data: dataOf(entries), at, asBooked });

interface EventColumns {
  readonly debtId: string;
  readonly kinds: readonly string[];
  readonly data: readonly string[];
  readonly at: Date;
  readonly asBooked: boolean;
}

const entriesOf = (kinds: readonly string[], data: readonly string[]) =>
  sql<{ kind: TimelineKind; data: object; place: number }>`unnest(
    ${kinds}::text[], ${data}::jsonb[]) with ordinality`.as<'entry'>(sql`entry(kind, data, place)`);

/** What a statement has changed of a debt before its entries are added. */
type WithChanged = Tables & { readonly changed: Pick<Selectable<Tables['debts']>, 'id' | 'clientId' | 'lastEventAt'> };

/** Adds the entries of the debt that was changed, in the given order. */
const insertOf = (
  queries: QueryCreator<WithChanged>,
  { kinds, data }: Pick<EventColumns, 'kinds' | 'data'>,
  at: Expression<Date> = sql.ref<Date>('changed.lastEventAt'),
) =>
  queries
    .insertInto('debt_events')
    .columns(['clientId', 'debtId', 'at', 'kind', 'data'])
    .expression((from) =>
      from
        .selectFrom(['changed', entriesOf(kinds, data)])
        .select(['changed.clientId', 'changed.id', sql<Date>`${at}`.as('at'), 'entry.kind', 'entry.data'])
        .orderBy('entry.place'),
    );

const addEvents = prepared('debt_events_add', (queries, { debtId, kinds, data, at, asBooked }: EventColumns) =>
  insertOf(
    queries.with('changed', (from) =>
      from
        .updateTable('debts')
        .set({ lastEventAt: sql<Date>`greatest(last_event_at, ${at}::timestamptz)`, updatedAt: NOW })
        .where('id', '=', debtId)
        .returning(['id', 'clientId', 'lastEventAt']),
    ),
    { kinds, data },
    sql<Date>`case when ${asBooked}::boolean then ${at}::timestamptz else changed.last_event_at end`,
  ),
);

interface NewStatus {
  readonly status: DebtStatus;
  readonly live: boolean;
}

/**
 * Stores a new status with its entry. A debt that is not live has no next contact and does not wait for the end of a pause.
 * The moment is stored with the status, because the event that a trigger writes has it.
 */
export const changeStatus = (
  tx: Tx,
  debtId: string,
  entry: TimelineEntry,
  changed: NewStatus & { readonly at: Date },
): Promise<unknown> => change.run(tx, { debtId, kinds: kindsOf([entry]), data: dataOf([entry]), ...changed });

const change = prepared(
  'debt_change_status',
  (queries, { debtId, kinds, data, at, status, live }: Omit<EventColumns, 'asBooked'> & NewStatus) =>
    insertOf(
      queries.with('changed', (from) =>
        from
          .updateTable('debts')
          .set({
            status,
            lastEventAt: sql<Date>`greatest(last_event_at, ${at}::timestamptz)`,
            nextContactAt: sql<Date | null>`case when ${live}::boolean then next_contact_at end`,
            pausedAt: sql<Date | null>`case when ${live}::boolean then paused_at end`,
            updatedAt: NOW,
          })
          .where('id', '=', debtId)
          .returning(['id', 'clientId', 'lastEventAt']),
      ),
      { kinds, data },
    ),
);

interface Advanced {
  readonly status: DebtStatus;
  readonly step: number;
  readonly nextContactAt: Date;
  readonly remindedAt: Date | null;
  readonly clockOffsetMs: number;
  readonly at: Date;
}

/** Stores a contact of a live debt, with its entries in the given order. */
export const advanceDebt = (
  tx: Tx,
  debtId: string,
  entries: readonly TimelineEntry[],
  advanced: Advanced,
): Promise<unknown> => advance.run(tx, { debtId, kinds: kindsOf(entries), data: dataOf(entries), ...advanced });

const advance = prepared(
  'debt_advance',
  (
    queries,
    {
      debtId,
      kinds,
      data,
      at,
      status,
      step,
      nextContactAt,
      remindedAt,
      clockOffsetMs,
    }: Omit<EventColumns, 'asBooked'> & Advanced,
  ) =>
    insertOf(
      queries.with('changed', (from) =>
        from
          .updateTable('debts')
          .set({ status, step, nextContactAt, remindedAt, pausedAt: null, updatedAt: NOW })
          .set({
            lastEventAt: sql<Date>`greatest(last_event_at, ${at}::timestamptz)`,
            clockOffsetMs: sql<number>`greatest(clock_offset_ms, ${clockOffsetMs}::bigint)`,
          })
          .where('id', '=', debtId)
          .returning(['id', 'clientId', 'lastEventAt']),
      ),
      { kinds, data },
    ),
);

/**
 * Adds entries to many timelines, those of one debt in the given order. The debts are locked in the order of their ids, as
 * every transaction locks debts.
 */
export const insertEach = (
  tx: Tx,
  entries: readonly { readonly debtId: string; readonly at: Date; readonly entry: TimelineEntry }[],
) =>
  queriesIn(tx)
    .with('given', (queries) =>
      queries
        .selectFrom(
          sql<{ debtId: string; at: Date; kind: TimelineKind; data: object; place: number }>`unnest(
            ${entries.map(({ debtId }) => debtId)}::uuid[], ${entries.map(({ at }) => at)}::timestamptz[],
            ${kindsOf(entries.map(({ entry }) => entry))}::text[], ${dataOf(entries.map(({ entry }) => entry))}::jsonb[])
            with ordinality`.as<'given'>(sql`given(debt_id, at, kind, data, place)`),
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
    // An update takes one row for each debt, however many it is joined to, so the entries are joined to its result.
    .with('changed', (queries) =>
      queries
        .updateTable('debts')
        .from((from) =>
          from
            .selectFrom('given')
            .innerJoin('locked', 'locked.id', 'given.debtId')
            .select(({ fn }) => ['locked.id', fn.max('given.at').as('at')])
            .groupBy('locked.id')
            .as('latest'),
        )
        .set({ lastEventAt: sql<Date>`greatest(debts.last_event_at, latest.at)`, updatedAt: NOW })
        .whereRef('debts.id', '=', 'latest.id')
        .returning(['debts.id', 'debts.clientId', 'debts.lastEventAt']),
    )
    .insertInto('debt_events')
    .columns(['clientId', 'debtId', 'at', 'kind', 'data'])
    .expression((queries) =>
      queries
        .selectFrom('given')
        .innerJoin('changed', 'changed.id', 'given.debtId')
        .select(['changed.clientId', 'changed.id', 'changed.lastEventAt', 'given.kind', 'given.data'])
        .orderBy('changed.id')
        .orderBy('given.place'),
    )
    .execute();

/** Returns the latest change of a debt's status, with the payment that was told right before it and what that has ended. */
export const latestMove = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .selectFrom('debt_events as move')
    .select([sql<DebtStatus>`move.data ->> 'from'`.as('from'), sql<DebtStatus>`move.data ->> 'to'`.as('to')])
    .select(sql<EndedByPayment | null>`move.data -> 'ended'`.as('ended'))
    .select(({ selectFrom }) =>
      selectFrom('debt_events as told')
        .select(sql<string | null>`told.data ->> 'paymentId'`.as('paymentId'))
        .whereRef('told.debtId', '=', 'move.debtId')
        .whereRef('told.seq', '<', 'move.seq')
        .orderBy('told.seq', 'desc')
        .limit(1)
        .as('becauseOf'),
    )
    .where('move.debtId', '=', debtId)
    .where('move.kind', '=', 'status_changed')
    .orderBy('move.seq', 'desc')
    .limit(1)
    .executeTakeFirst();

interface PageOfEvents {
  readonly debtId: string;
  /** Only entries that were written before this one. */
  readonly before: number;
  readonly limit: number;
}

const ACTED = sql<string | null>`coalesce(entries.written_by, case when messages.staff then messages.member_id end)`;

/**
 * Returns entries of a timeline, the newest first. The ids are read from the entries before the joins: under row security
 * a comparison with `->>`, which is not leakproof, reaches no index, and each timeline would read all messages of its
 * client.
 */
export const EVENTS_OF_DEBT = prepared('debt_timeline', (queries, { debtId, before, limit }: PageOfEvents) =>
  queries
    .with(
      (cte) => cte('entries').materialized(),
      (from) =>
        from
          .selectFrom('debt_events')
          .select(['seq', 'at', 'kind', 'data', 'memberId as writtenBy'])
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
    // The workflow sends what a member has written, and its entry is of the one who wrote it.
    .select(ACTED.as('memberId'))
    .select(sql<string | null>`(select members.name from members where members.id = ${ACTED})`.as('memberName'))
    .select(['messages.cutFrom', 'messages.staff', ATTACHMENTS_OF_MESSAGE.as('attachments')])
    .orderBy('entries.seq', 'desc'),
);

export type StoredEntry = ReturnType<typeof EVENTS_OF_DEBT.rowsOf>[number];

/** Returns an entry as it was written: kind and members stand in two columns, of which PostgreSQL knows no union. */
export const entryOf = ({ kind, data }: { readonly kind: TimelineKind; readonly data: object }): TimelineEntry =>
  ({ kind, ...data }) as TimelineEntry;
