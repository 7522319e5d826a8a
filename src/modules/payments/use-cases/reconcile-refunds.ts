import { DUE_REFUNDS } from '../queries/refunds.ts';
import { createAccountQueues, type QueuedCharge } from './account-queues.ts';
import type { PaymentDeps } from './deps.ts';
import { concernsAccount } from './reconcile-charges.ts';
import { type PaymentWithRefunds, sendRefundsOf } from './send-refunds.ts';

const PAYMENTS_PER_RUN = 100;
const CONCURRENT = 8;
/** A run begins no further payment after this time. What is left is due in the next run. */
const RUN_MS = 30_000;

/**
 * Sends the refunds that nobody has sent, and asks about those that are under way, so that a dead process or provider loses
 * none. The clients take turns, and an account that does not answer costs the others almost nothing. Returns of how many
 * payments it sent refunds.
 */
export async function reconcileRefunds(deps: PaymentDeps): Promise<number> {
  const due = await deps.db.runUnscoped(DUE_REFUNDS, { dueBy: deps.now(), most: PAYMENTS_PER_RUN });
  const queues = createAccountQueues<PaymentWithRefunds & QueuedCharge>();
  queues.add(due.map((payment) => ({ ...payment, accountFailures: 0 })));
  const began = deps.now().getTime();
  const failures: unknown[] = [];
  let sent = 0;
  async function work(): Promise<void> {
    while (failures.length === 0 && deps.now().getTime() - began < RUN_MS) {
      const payment = queues.next();
      if (payment === undefined) return;
      const startedAt = deps.now().getTime();
      try {
        const failure = await sendRefundsOf(deps, payment);
        sent += 1;
        if (failure !== null && concernsAccount(failure)) {
          queues.failed(payment, { atOnce: failure.retryAfterSeconds !== undefined });
        } else {
          queues.answered(payment, deps.now().getTime() - startedAt);
        }
      } catch (error) {
        queues.dropped(payment);
        failures.push(error);
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, work));
  if (failures.length > 0) throw failures[0];
  return sent;
}
