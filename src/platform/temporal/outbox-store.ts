import type { OutboxStore } from '../../kernel/ports/outbox-store.ts';
import type { Database } from '../database/database.ts';
import type { PreparedQuery } from '../database/queries/builder.ts';
import {
  CONFIRM_DELIVERED_ROWS,
  DELETE_DELIVERED_ROWS,
  LEASE_DUE_ROWS,
  OUTBOX_BACKLOG,
  STORE_FAILURE,
} from '../database/queries/outbox.ts';

/** The lease is longer than any deadline of a call to Temporal, so that no other relay takes a slow relay's row. */
const LEASE_SECONDS = 30;

const PURGED_AT_ONCE = 5_000;

/** What the relay does with the outbox table: it leases rows, delivers them to Temporal and confirms them. */
export function createOutboxStore(pool: Database['pool']) {
  // The outbox has no row security, so that its statements need no scope and no transaction of their own.
  const run = <Params extends object, Row extends object>(
    { name, text, valuesOf }: PreparedQuery<Params, Row>,
    params: Params,
  ) => pool.query<object>({ name, text, values: valuesOf(params) });
  return {
    /** Returns the leased rows, the oldest first. */
    async lease(limit: number) {
      const { rows } = await run(LEASE_DUE_ROWS, { limit, leaseSeconds: LEASE_SECONDS });
      return LEASE_DUE_ROWS.rowsOf(rows).sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
    },
    async delivered(rows) {
      const params = { ids: rows.map((row) => row.id), requests: rows.map((row) => row.requests) };
      const confirmed = CONFIRM_DELIVERED_ROWS.rowsOf((await run(CONFIRM_DELIVERED_ROWS, params)).rows);
      return confirmed.filter((row) => row.final).length;
    },
    async failed(id, error, retryAt) {
      await run(STORE_FAILURE, { id, error, retryAt });
    },
    async depth() {
      const [backlog] = OUTBOX_BACKLOG.rowsOf((await run(OUTBOX_BACKLOG, {})).rows);
      return { waiting: backlog?.depth ?? 0, oldestSeconds: backlog?.oldestSeconds ?? 0 };
    },
    async purge(deliveredBefore: Date, limit = PURGED_AT_ONCE) {
      return (await run(DELETE_DELIVERED_ROWS, { deliveredBefore, limit })).rowCount ?? 0;
    },
  } satisfies OutboxStore;
}
