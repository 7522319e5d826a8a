import {
  SENDERS_BY_STATE,
  UNHANDLED_MESSAGES,
  UNHANDLED_NOTIFICATIONS,
  WAITING_DELIVERIES,
} from '../../modules/debts/queries/waiting-work.ts';
import { NUMBERS_BY_USAGE, USAGE_OF_DEPLOYMENT } from '../../modules/messaging/queries/watched-numbers.ts';
import { freeEachMonth, type PriceList } from '../../modules/messaging/rules/message-prices.ts';
import { loadPrices } from '../../modules/messaging/use-cases/load-prices.ts';
import { ACCOUNTS_BY_STATE } from '../../modules/payments/queries/payment-accounts.ts';
import type { Role } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ServingRole } from '../../platform/database/tables/tenant-table.ts';
import type { PoolState, UsageState, WaitingState, WorkState } from '../../platform/runtime/metric-gauges.ts';
import { createMetrics, type Metrics, type ProcessMetrics } from '../../platform/runtime/metrics.ts';
import type { Gateway } from '../../platform/temporal/gateway.ts';
import { createOutboxStore } from '../../platform/temporal/outbox-store.ts';
import { sdkMetrics } from '../../platform/temporal/sdk-runtime.ts';
import { VERSION } from '../version.ts';

export interface MetricsPlan {
  readonly roles: readonly Role[];
  readonly gateway: Pick<Gateway, 'backlogs'>;
  /** The databases that the process has opened so far. */
  readonly opened: ReadonlyMap<ServingRole, Database>;
  readonly worker: (() => Promise<ProcessMetrics>) | undefined;
}

/**
 * Composes the metrics of a process. What all processes would read alike is read by few of them: the depth of the outbox
 * by API and relay, the backlogs in Temporal by the API, and the work that waits in the database by the relay, because the
 * API's login sees one client at a time.
 */
export function composeMetrics({ roles, gateway, opened, worker }: MetricsPlan): Metrics {
  const any = (): Database => [...opened.values()][0] ?? notOpen();
  return createMetrics({
    info: { version: VERSION, roles },
    pools: () => Object.fromEntries([...opened].map(([role, db]) => [role, stateOf(db)])),
    temporal: sdkMetrics,
    worker,
    outbox: roles.includes('api') || roles.includes('relay') ? () => readOutbox(any()) : undefined,
    backlogs: roles.includes('api') ? gateway.backlogs : undefined,
    work: roles.includes('relay') ? () => readWork(opened.get('quita_worker') ?? notOpen()) : undefined,
    usage: roles.includes('relay') ? usageOf(() => opened.get('quita_worker') ?? notOpen()) : undefined,
  });
}

/** The metrics are served from the beginning, while the process may still wait for its database. */
function notOpen(): never {
  throw new Error('The database is not open yet');
}

const stateOf = ({ pool }: Database): PoolState => ({
  total: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
});

async function readOutbox({ pool }: Database) {
  const { waiting, oldestSeconds } = await createOutboxStore(pool).depth();
  return { pending: waiting, oldestSeconds };
}

const NONE: WaitingState = { waiting: 0, oldestSeconds: 0 };

async function readWork(db: Database): Promise<WorkState> {
  const [message, payment, deliveries, senders, accounts] = await Promise.all([
    db.runUnscoped(UNHANDLED_MESSAGES, {}),
    db.runUnscoped(UNHANDLED_NOTIFICATIONS, {}),
    db.runUnscoped(WAITING_DELIVERIES, {}),
    db.runUnscoped(SENDERS_BY_STATE, {}),
    db.runUnscoped(ACCOUNTS_BY_STATE, {}),
  ]);
  return {
    inbox: { message: message[0] ?? NONE, payment: payment[0] ?? NONE },
    deliveries: deliveries[0] ?? NONE,
    senders,
    accounts,
  };
}

const usageOf = (db: () => Database) => {
  const prices = loadPrices();
  return () => readUsage(db(), prices);
};

async function readUsage(db: Database, prices: PriceList): Promise<UsageState> {
  const [kinds, [numbers]] = await Promise.all([
    db.runUnscoped(USAGE_OF_DEPLOYMENT, { freeEachMonth: freeEachMonth(prices) }),
    db.runUnscoped(NUMBERS_BY_USAGE, {}),
  ]);
  return {
    kinds,
    numbers: {
      connected: numbers!.all,
      free_messages_ending: numbers!.nearEnd,
      payment_suspected: numbers!.paymentSuspected,
    },
  };
}
