import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { World } from './world/start-world.ts';

const OPEN_WORK = `
  select
    (select count(*) from outbox where delivered_at is null and coalesce(last_error, '') not like 'parked:%')::int as outbox,
    (select count(*) from messages where direction = 'in' and handled_at is null and not automatic)::int as inbound,
    (select count(*) from messages where direction = 'out' and delivery in ('booked', 'waiting'))::int as outbound,
    (select count(*) from payment_notifications where handled_at is null)::int as notifications,
    (select count(*) from receipts where pdf is null)::int as undrawn,
    (select count(*) from debts where status = 'PAID' and not exists (
      select from receipts where receipts.debt_id = debts.id))::int as "withoutReceipt",
    (select count(*) from receipt_deliveries where state = 'waiting')::int as receipts,
    (select count(*) from debts where status in ('QUEUED', 'IN_COLLECTION', 'PROMISED')
      and (next_contact_at is null or next_contact_at <= $1::timestamptz - interval '1 hour'))::int as due,
    (select count(*) from agreements where status = 'ACTIVE' and next_at <= $1::timestamptz - interval '1 hour')::int
      as agreements`;
/** The row that wakes a webhook may be open after its events were delivered: the relay that held it may have died. */
const DELIVERIES = `
  select (select count(*)::int from webhook_deliveries where state = 'pending')
    + (select count(*)::int from outbox where delivered_at is null and coalesce(last_error, '') not like 'parked:%') as open`;
const LIVE = `
  select count(*)::int as live, min(next) as next from (
    select next_contact_at as next from debts where status in ('QUEUED', 'IN_COLLECTION', 'PROMISED')
    union all select next_at from agreements where status = 'ACTIVE') as open`;

const CONTACTS = `select count(*)::int as made from messages where purpose in ('collection', 'reminder')`;

const EVERY_MS = 500;
const STILL_FOR_MS = 2_500;

export interface Watch {
  /** Resolves with null when nothing is left to do for a while, or with what is left when the time is over. */
  untilQuiet(withinMs: number, now: () => number): Promise<string | null>;
  untilEventsAreDelivered(withinMs: number): Promise<boolean>;
  contacts(): Promise<number>;
  live(): Promise<{ readonly live: number; readonly next: Date | null }>;
}

/** Looks into the database whether a day is over. It decides nothing about the result. */
export function createWatch(databaseUrl: string, world: World): Watch {
  /** A connection of its own for each question, because the server is killed now and then. */
  async function ask<Row extends object>(statement: string, params: readonly unknown[] = []): Promise<Row | null> {
    const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000, query_timeout: 10_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<Row>(statement, [...params]);
      return rows[0] ?? null;
    } catch {
      return null;
    } finally {
      await client.end().catch(() => {});
    }
  }

  async function openWork(now: number): Promise<string> {
    const row = await ask<Record<string, number>>(OPEN_WORK, [new Date(now)]);
    if (row === null) return 'the database does not answer';
    const { waiting, acting } = await world.tell({ kind: 'state' });
    const all = { ...row, waiting, acting };
    return Object.entries(all)
      .filter(([, count]) => count > 0)
      .map(([what, count]) => `${what} ${count}`)
      .join(', ');
  }

  return {
    async untilQuiet(withinMs, now) {
      const deadline = Date.now() + withinMs;
      let stillSince: number | null = null;
      for (;;) {
        const left = await openWork(now());
        if (left !== '') stillSince = null;
        else stillSince ??= Date.now();
        if (stillSince !== null && Date.now() - stillSince >= STILL_FOR_MS) return null;
        if (Date.now() > deadline) return left === '' ? null : left;
        await sleep(EVERY_MS);
      }
    },
    async untilEventsAreDelivered(withinMs) {
      const deadline = Date.now() + withinMs;
      while (Date.now() < deadline) {
        if ((await ask<{ open: number }>(DELIVERIES))?.open === 0) return true;
        await sleep(EVERY_MS);
      }
      return false;
    },
    contacts: async () => (await ask<{ made: number }>(CONTACTS))?.made ?? 0,
    async live() {
      for (;;) {
        const row = await ask<{ live: number; next: Date | null }>(LIVE);
        if (row !== null) return row;
        await sleep(EVERY_MS);
      }
    },
  };
}
