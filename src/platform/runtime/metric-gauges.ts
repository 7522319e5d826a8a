import { Gauge, type Registry } from 'prom-client';

export interface OutboxState {
  /** Rows that wait for their delivery. */
  readonly pending: number;
  /** How long the oldest of them has been waiting. */
  readonly oldestSeconds: number;
}

export interface PoolState {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface BacklogState {
  readonly tasks: number;
  readonly seconds: number;
}

export interface WaitingState {
  readonly waiting: number;
  readonly oldestSeconds: number;
}

/** The product's own work that waits, over all clients. */
export interface WorkState {
  /** What came in and is not handled yet, by kind: messages of debtors and notifications of the provider. */
  readonly inbox: Readonly<Record<string, WaitingState>>;
  /** Events that a webhook's receiver has not taken yet. */
  readonly deliveries: WaitingState;
  readonly senders: readonly { readonly channel: string; readonly state: string; readonly count: number }[];
  /** The connected accounts at payment providers, with the time until the first of their certificates ends. */
  readonly accounts: readonly {
    readonly provider: string;
    readonly state: string;
    readonly count: number;
    readonly certificateSeconds: number | null;
  }[];
}

/** What the deployment's numbers of WhatsApp have delivered this month, and how they are. It names none of them. */
export interface UsageState {
  readonly kinds: readonly { readonly kind: string; readonly free: number; readonly paid: number }[];
  readonly numbers: Readonly<Record<string, number>>;
}

type Read<T> = () => Promise<T>;
type Update = () => Promise<void>;

const gaugeIn =
  (registry: Registry) =>
  <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Gauge<Label> =>
    new Gauge({ name, help, labelNames, registers: [registry] });

export function addOutboxGauges(registry: Registry, read: Read<OutboxState>): Update {
  const gauge = gaugeIn(registry);
  const pending = gauge('quita_outbox_pending', 'Outbox rows that are not delivered');
  const oldest = gauge('quita_outbox_oldest_seconds', 'Age of the oldest outbox row that is not delivered');
  return async () => {
    const state = await read().catch(() => undefined);
    // Keeping the values of the previous scrape would look as if the outbox did not change.
    pending.set(state?.pending ?? Number.NaN);
    oldest.set(state?.oldestSeconds ?? Number.NaN);
  };
}

export function addPoolGauges(registry: Registry, read: () => Readonly<Record<string, PoolState>>): void {
  new Gauge({
    name: 'quita_pg_pool_connections',
    help: 'Connections of a PostgreSQL pool, and requests that wait for one',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, states] of Object.entries(read())) {
        for (const [state, count] of Object.entries(states)) this.set({ pool, state }, count);
      }
    },
  });
}

/** A scrape is answered also while a server does not answer. */
const READ_WAIT_MS = 2_000;

/** Returns undefined when there is no answer in time. */
async function inTime<T>(read: Read<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), READ_WAIT_MS);
  const state = await Promise.race([read().catch(() => undefined), late]);
  clearTimeout(timer);
  return state;
}

export function addBacklogGauges(registry: Registry, read: Read<Readonly<Record<string, BacklogState>>>): Update {
  const gauge = gaugeIn(registry);
  const tasks = gauge('quita_task_backlog', 'Tasks in Temporal that no worker has taken, by kind of work', ['work']);
  const seconds = gauge('quita_task_backlog_seconds', 'Age of the oldest of these tasks', ['work']);
  return async () => {
    const states = await inTime(read);
    // Without an answer there are no values, because those of the previous scrape would look as if nothing changed.
    tasks.reset();
    seconds.reset();
    for (const [work, state] of Object.entries(states ?? {})) {
      tasks.set({ work }, state.tasks);
      seconds.set({ work }, state.seconds);
    }
  };
}

/** Several scrapers together cause no more statements than one. */
const WORK_FRESH_MS = 5_000;

export function addWorkGauges(registry: Registry, read: Read<WorkState>): Update {
  const gauge = gaugeIn(registry);
  const unhandled = gauge('quita_inbox_unhandled', 'What came in and is not handled; 10,000 at most are counted', [
    'kind',
  ]);
  const oldest = gauge('quita_inbox_oldest_seconds', 'Age of the oldest of these', ['kind']);
  // Without labels a gauge would be 0 before the first answer and after a failed one.
  const deliveries = gauge(
    'quita_webhook_deliveries_waiting',
    'Events that a webhook has not taken; 10,000 at most are counted',
    ['state'],
  );
  const overdue = gauge('quita_webhook_deliveries_overdue_seconds', 'How long the oldest of these is overdue', [
    'state',
  ]);
  const senders = gauge('quita_senders', 'Connected senders of the clients', ['channel', 'state']);
  const accounts = gauge('quita_payment_accounts', 'Connected accounts at payment providers', ['provider', 'state']);
  const certificates = gauge(
    'quita_payment_certificate_seconds',
    'Time until the first certificate of these accounts ends; negative once it has ended',
    ['provider', 'state'],
  );
  let readAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - readAt < WORK_FRESH_MS) return;
    readAt = performance.now();
    const state = await inTime(read);
    for (const each of [unhandled, oldest, deliveries, overdue, senders, accounts, certificates]) each.reset();
    if (state === undefined) {
      readAt = Number.NEGATIVE_INFINITY;
      return;
    }
    for (const [kind, { waiting, oldestSeconds }] of Object.entries(state.inbox)) {
      unhandled.set({ kind }, waiting);
      oldest.set({ kind }, oldestSeconds);
    }
    deliveries.set({ state: 'pending' }, state.deliveries.waiting);
    overdue.set({ state: 'pending' }, state.deliveries.oldestSeconds);
    for (const { channel, state: of, count } of state.senders) senders.set({ channel, state: of }, count);
    for (const { provider, state: of, count, certificateSeconds } of state.accounts) {
      accounts.set({ provider, state: of }, count);
      if (certificateSeconds !== null) certificates.set({ provider, state: of }, certificateSeconds);
    }
  };
}

/** A count over a month is no work for every scrape. */
const USAGE_FRESH_MS = 60_000;

export function addUsageGauges(registry: Registry, read: Read<UsageState>): Update {
  const gauge = gaugeIn(registry);
  const messages = gauge('quita_whatsapp_messages_this_month', 'Messages of WhatsApp delivered this month', [
    'kind',
    'price',
  ]);
  const numbers = gauge(
    'quita_whatsapp_numbers',
    'Connected numbers of WhatsApp, those near the end of their free messages, and those suspected to lack a payment method',
    ['state'],
  );
  let readAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - readAt < USAGE_FRESH_MS) return;
    readAt = performance.now();
    const state = await inTime(read);
    messages.reset();
    numbers.reset();
    if (state === undefined) readAt = Number.NEGATIVE_INFINITY;
    for (const { kind, free, paid } of state?.kinds ?? []) {
      messages.set({ kind, price: 'free' }, free);
      messages.set({ kind, price: 'paid' }, paid);
    }
    for (const [name, count] of Object.entries(state?.numbers ?? {})) numbers.set({ state: name }, count);
  };
}
