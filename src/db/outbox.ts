import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { notifierOf } from './database.ts';
import type { OutboxKind, OutboxPayload, OutboxWorkflow } from './entities/outbox.ts';
import { runInTransaction } from './statement.ts';

export interface NewOutboxRow {
  readonly kind: OutboxKind;
  readonly workflow: OutboxWorkflow;
  readonly workflowId: string;
  readonly signal?: string | null;
  readonly payload: OutboxPayload;
  /** At most one undelivered row of a key: a burst of requests becomes one. */
  readonly dedupeKey?: string | null;
  readonly availableAt?: Date;
}

export interface ClaimedOutboxRow {
  readonly id: string;
  readonly kind: OutboxKind;
  readonly workflow: OutboxWorkflow;
  readonly workflowId: string;
  readonly signal: string | null;
  readonly payload: OutboxPayload;
  readonly attempts: number;
  readonly requests: number;
  readonly createdAt: Date;
}

/** Longer than any deadline of a call to Temporal: a slow relay must not see its row taken over. */
export const OUTBOX_LEASE_SECONDS = 30;

// A function: the API may add rows and read none, since they name other clients' debts. The rows go in by the order of
// their keys, and the same key while one waits counts as one more request.
const INSERT = `
  select add_outbox($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::jsonb[], $7::text[], $8::timestamptz[])`;

/** Several rows in one statement; each key at most once in `rows`. */
export async function addOutboxRows(em: EntityManager, rows: readonly NewOutboxRow[]): Promise<void> {
  if (rows.length === 0) return;
  await runInTransaction(em, INSERT, [
    rows.map(() => randomUUID()),
    rows.map((row) => row.kind),
    rows.map((row) => row.workflow),
    rows.map((row) => row.workflowId),
    rows.map((row) => row.signal ?? null),
    rows.map((row) => JSON.stringify(row.payload)),
    rows.map((row) => row.dedupeKey ?? null),
    rows.map((row) => row.availableAt ?? null),
  ]);
  notifierOf(em).notifyAfterCommit(em);
}

/** Work for Temporal in the transaction of `em`: it is done if and only if that commits. */
export const addOutbox = (em: EntityManager, row: NewOutboxRow): Promise<void> => addOutboxRows(em, [row]);

const CLAIM = {
  name: 'outbox_claim',
  text: `
    with due as (
      select id from outbox
      -- A moment kept in milliseconds may have been rounded up: a row must not wait a whole poll for that.
      where delivered_at is null and available_at <= now() + interval '1 millisecond'
      order by available_at
      limit $1
      for update skip locked
    )
    update outbox set attempts = attempts + 1, available_at = now() + make_interval(secs => $2)
    from due where outbox.id = due.id
    returning outbox.id, kind, workflow, workflow_id as "workflowId", signal, payload, attempts, requests,
      created_at as "createdAt"`,
};

/** Takes due rows for `OUTBOX_LEASE_SECONDS`; a relay that dies loses them to the next one after that. Oldest first. */
export async function claimOutbox(pool: Pool, limit: number): Promise<ClaimedOutboxRow[]> {
  const { rows } = await pool.query<ClaimedOutboxRow>({ ...CLAIM, values: [limit, OUTBOX_LEASE_SECONDS] });
  return rows.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

const MARK = {
  name: 'outbox_mark_delivered',
  text: `
    with done as (
      select outbox.id, outbox.requests = claimed.requests as final
      from outbox join unnest($1::uuid[], $2::int[]) as claimed (id, requests) on claimed.id = outbox.id
      where delivered_at is null
      order by dedupe_key
      for update of outbox
    )
    update outbox set
      delivered_at = case when final then now() end,
      available_at = case when final then available_at else now() end,
      attempts = case when final then attempts else 0 end
    from done where outbox.id = done.id
    returning final`,
};

/** A row that was asked for again while it was on its way stays, and is due at once. Returns how many were delivered. */
export async function markOutboxDelivered(
  pool: Pool,
  rows: ReadonlyArray<Pick<ClaimedOutboxRow, 'id' | 'requests'>>,
): Promise<number> {
  const values = [rows.map((row) => row.id), rows.map((row) => row.requests)];
  const result = await pool.query<{ final: boolean }>({ ...MARK, values });
  return result.rows.filter((row) => row.final).length;
}

const FAIL = {
  name: 'outbox_fail',
  text: `
    update outbox set last_error = $2, available_at = $3
    where id = $1 and delivered_at is null`,
};

/** Gives a row back after a failed try, due again at `retryAt`; `error` holds no personal data. */
export async function failOutbox(pool: Pool, id: string, error: string, retryAt: Date): Promise<void> {
  await pool.query({ ...FAIL, values: [id, error, retryAt] });
}

const PURGE = {
  name: 'outbox_purge',
  text: `
    delete from outbox where id in (
      select id from outbox where delivered_at < $1
      order by delivered_at limit $2 for update skip locked
    )`,
};

/** Deletes rows that were delivered before that moment, at most `limit`; returns how many. */
export async function purgeOutbox(pool: Pool, deliveredBefore: Date, limit = 5_000): Promise<number> {
  const result = await pool.query({ ...PURGE, values: [deliveredBefore, limit] });
  return result.rowCount ?? 0;
}

const BACKLOG = {
  name: 'outbox_backlog',
  text: 'select depth, oldest_seconds as "oldestSeconds" from outbox_backlog()',
};

/** How many rows wait, and how long the oldest has. */
export async function outboxBacklog(pool: Pool): Promise<{ depth: number; oldestSeconds: number }> {
  const { rows } = await pool.query<{ depth: number; oldestSeconds: number }>(BACKLOG);
  return rows[0] ?? { depth: 0, oldestSeconds: 0 };
}
