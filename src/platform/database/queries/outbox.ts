import { randomUUID } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import type { Tx } from '../tx.ts';
import { prepared, queriesIn, type Tables } from './builder.ts';

type Row = Insertable<Tables['outbox']>;

export interface NewOutboxRow extends Readonly<Pick<Row, 'kind' | 'workflow' | 'workflowId' | 'payload'>> {
  readonly signal?: string | null;
  /** At most one undelivered row has the same key: a second request for it only counts as one more. */
  readonly dedupeKey?: string | null;
  readonly availableAt?: Date;
}

/** The API may add rows but read none, because they name other clients' debts. Therefore a routine adds them. */
export const addRows = (tx: Tx, rows: readonly NewOutboxRow[]) =>
  queriesIn(tx)
    .selectNoFrom(
      sql<null>`add_outbox(
        ${rows.map(() => randomUUID())}::uuid[],
        ${rows.map((row) => row.kind)}::text[],
        ${rows.map((row) => row.workflow)}::text[],
        ${rows.map((row) => row.workflowId)}::text[],
        ${rows.map((row) => row.signal ?? null)}::text[],
        ${rows.map((row) => JSON.stringify(row.payload))}::jsonb[],
        ${rows.map((row) => row.dedupeKey ?? null)}::text[],
        ${rows.map((row) => row.availableAt ?? null)}::timestamptz[]
      )`.as('added'),
    )
    .execute();

/**
 * Leases due rows: until the lease ends, no other relay takes them. A row is also due one millisecond early, because
 * its moment is stored in milliseconds and may have been rounded up, and it would otherwise wait for another poll. The
 * lease moves that moment, so that `dueAt` keeps it.
 */
export const LEASE_DUE_ROWS = prepared(
  'outbox_lease',
  (queries, params: { readonly limit: number; readonly leaseSeconds: number }) =>
    queries
      .with(
        (cte) => cte('due').materialized(),
        (query) =>
          query
            .selectFrom('outbox')
            .select(['id', 'availableAt'])
            .where('deliveredAt', 'is', null)
            .where('availableAt', '<=', sql<Date>`quita_now() + interval '1 millisecond'`)
            .orderBy('availableAt')
            .limit(params.limit)
            .forUpdate()
            .skipLocked(),
      )
      .updateTable('outbox')
      .from('due')
      .set({
        attempts: sql<number>`attempts + 1`,
        availableAt: sql<Date>`quita_now() + make_interval(secs => ${params.leaseSeconds})`,
      })
      .whereRef('outbox.id', '=', 'due.id')
      .returning(['outbox.id', 'kind', 'workflow', 'workflowId', 'signal', 'payload', 'attempts', 'requests'])
      .returning('createdAt')
      .returning(sql<Date>`case when attempts = 1 then due.available_at else created_at end`.as('dueAt')),
);

/**
 * A row whose key was requested again after it was leased is not final: it stays and is due at once. The rows are
 * locked in the order of their keys, which is also the order in which they are added.
 */
export const CONFIRM_DELIVERED_ROWS = prepared(
  'outbox_confirm_delivered',
  (queries, params: { readonly ids: readonly string[]; readonly requests: readonly number[] }) =>
    queries
      .with('done', (query) =>
        query
          .selectFrom('outbox')
          .innerJoin(
            sql<{
              id: string;
              requests: number;
            }>`unnest(${params.ids}::uuid[], ${params.requests}::int[])`.as<'leased'>(sql`leased (id, requests)`),
            'leased.id',
            'outbox.id',
          )
          .select(['outbox.id', sql<boolean>`outbox.requests = leased.requests`.as('final')])
          .where('deliveredAt', 'is', null)
          .orderBy('dedupeKey')
          .forUpdate('outbox'),
      )
      .updateTable('outbox')
      .from('done')
      .set({
        deliveredAt: sql<Date | null>`case when final then quita_now() end`,
        availableAt: sql<Date>`case when final then available_at else quita_now() end`,
        attempts: sql<number>`case when final then attempts else 0 end`,
      })
      .whereRef('outbox.id', '=', 'done.id')
      .returning('final'),
);

export const STORE_FAILURE = prepared(
  'outbox_fail',
  (queries, params: { readonly id: string; readonly error: string; readonly retryAt: Date }) =>
    queries
      .updateTable('outbox')
      .set({ lastError: params.error, availableAt: params.retryAt })
      .where('id', '=', params.id)
      .where('deliveredAt', 'is', null),
);

/**
 * The rows are picked once, by a materialized expression: a subselect with a limit and `skip locked` may be computed again
 * for each row that it is compared with, and picks other rows each time.
 */
export const DELETE_DELIVERED_ROWS = prepared(
  'outbox_purge',
  (queries, params: { readonly deliveredBefore: Date; readonly limit: number }) =>
    queries
      .with(
        (cte) => cte('due').materialized(),
        (query) =>
          query
            .selectFrom('outbox')
            .select('id')
            .where('deliveredAt', '<', params.deliveredBefore)
            .orderBy('deliveredAt')
            .limit(params.limit)
            .forUpdate()
            .skipLocked(),
      )
      .deleteFrom('outbox')
      .where('id', 'in', (query) => query.selectFrom('due').select('id')),
);

/** The columns of the routine `outbox_backlog`. */
interface Backlog {
  readonly depth: number;
  readonly oldestSeconds: number;
}

export const OUTBOX_BACKLOG = prepared('outbox_backlog', (queries) =>
  queries.selectFrom(sql<Backlog>`outbox_backlog()`.as('backlog')).selectAll(),
);
