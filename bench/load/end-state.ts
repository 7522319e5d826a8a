import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

/** What must be done when no more traffic comes. */
export interface EndState {
  /** Outbox rows that are not delivered. */
  readonly outbox: number;
  readonly unhandledNotifications: number;
  readonly unhandledMessages: number;
  /** Debts of paid charges that are not PAID, or have no receipt. */
  readonly unsettled: number;
  readonly unsent: number;
}

const STATE = `
  select
    (select count(*)::int from outbox where delivered_at is null) as outbox,
    (select count(*)::int from payment_notifications where handled_at is null) as "unhandledNotifications",
    (select count(*)::int from messages where direction = 'in' and handled_at is null) as "unhandledMessages",
    (select count(*)::int from messages where direction = 'out' and delivery in ('failed', 'unknown')) as unsent,
    (select count(*)::int from unnest($1::text[]) as paid (id)
      left join charges c on c.provider_payment_id = paid.id left join debts d on d.id = c.debt_id
      left join receipts r on r.charge_id = c.id
      where d.status is distinct from 'PAID' or r.pdf is null) as unsettled`;

const WORK = `
  select coalesce(max(extract(epoch from quita_now() - created_at)), 0)::float8 as "oldestSeconds"
  from (select created_at from outbox where delivered_at is null
    union all select created_at from payment_notifications where handled_at is null) as waiting`;

const SETTLED = `
  select percentile_cont(0.5) within group (order by seconds)::float8 as p50,
    percentile_cont(0.99) within group (order by seconds)::float8 as p99, count(*)::int as count
  from (select extract(epoch from min(c.approved_at) - min(n.created_at)) as seconds
    from payment_notifications n join charges c on c.id = n.charge_id
    where c.approved_at is not null and n.created_at > quita_now() - make_interval(secs => $1) group by c.id) as each`;

export const isDone = (state: EndState): boolean =>
  state.outbox + state.unhandledNotifications + state.unhandledMessages + state.unsettled === 0;

async function readEndState(owner: Client, paid: readonly string[]): Promise<EndState> {
  const { rows } = await owner.query<EndState>(STATE, [paid]);
  return rows[0]!;
}

/** Waits until everything is done, and returns what there is then or at the end of the time. */
export async function waitForEnd(owner: Client, paid: readonly string[], withinMs: number): Promise<EndState> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const state = await readEndState(owner, paid);
    if (isDone(state) || Date.now() > deadline) return state;
    await sleep(500);
  }
}

/** How long the oldest work waits for the relay or a worker. */
export async function oldestWorkSeconds(owner: Client): Promise<number> {
  const { rows } = await owner.query<{ oldestSeconds: number }>(WORK);
  return rows[0]?.oldestSeconds ?? 0;
}

export interface Settlement {
  readonly count: number;
  readonly p50: number | null;
  readonly p99: number | null;
}

/** From the stored notification to APPROVED, in seconds. */
export async function readSettlement(owner: Client, ofTheLastSeconds: number): Promise<Settlement> {
  const { rows } = await owner.query<Settlement>(SETTLED, [ofTheLastSeconds]);
  return rows[0]!;
}
