import { isLive } from '../../../kernel/debt-status.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtTask } from '../../debts/rules/debt-task.ts';
import type { NextStep } from '../../debts/rules/next-step.ts';
import type { ChargeProblem } from '../../debts/rules/timeline-entry.ts';
import { debtNow, momentOf } from '../../debts/use-cases/clock.ts';
import { type DebtContext, keepClock, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { nextStepOf } from '../../debts/use-cases/next-step.ts';
import { releaseReservations } from '../../messaging/use-cases/contact-ledger.ts';
import { PaymentProviderError } from '../ports/payment-provider.ts';
import { markHandled, type NotifiedCharge, notifiedCharges } from '../queries/payment-notifications.ts';
import { storeAnswer } from '../queries/reconciliation.ts';
import { applyReport } from './apply-report.ts';
import { askProvider } from './ask-provider.ts';
import { cancelCharges } from './cancel-charges.ts';
import type { PaymentDeps } from './deps.ts';
import { recordProblem } from './record-problem.ts';

/**
 * A provider may send a notification before its API knows the id. After this time the id counts as unknown for good.
 */
const MAX_UNKNOWN_MS = 10 * 60_000;

/**
 * Asks the provider about every charge of the debt that has an unhandled notification, and applies the answers. It also
 * finishes what a payment leaves to do, whoever recorded it: codes are cancelled, and the slot of the next contact is
 * free for others.
 */
export const settlePayment =
  (deps: PaymentDeps) =>
  async (request: DebtTask): Promise<NextStep> => {
    const { clientId, debtId, clock } = request;
    const notified = await deps.db.tenant(clientId).transactional(async (tx) => {
      await keepClock(tx, { id: debtId }, clock.offsetMs);
      return notifiedCharges(tx, debtId);
    });
    for (const charge of notified) await settleCharge(deps, request, charge);
    await cancelCharges(deps)({ clientId, debtId });
    await releaseSlot(deps, request);
    return nextStepOf(deps, clientId, debtId);
  };

const releaseSlot = ({ db }: PaymentDeps, { clientId, debtId }: DebtTask): Promise<void> =>
  db.tenant(clientId).transactional(async (tx) => {
    const debt = await loadDebt(tx, debtId);
    if (debt !== null && !isLive(debt.status)) await releaseReservations(tx, [debtId]);
  });

async function settleCharge(deps: PaymentDeps, request: DebtTask, charge: NotifiedCharge): Promise<void> {
  const { clientId, debtId, clock } = request;
  const currentMoment = async (tx: Tx): Promise<number> =>
    momentOf(clock, (await loadDebt(tx, debtId)) ?? { lastEventAt: null }, deps.now().getTime());
  const finish = (work: (tx: Tx, at: number) => Promise<unknown>): Promise<void> =>
    deps.db.tenant(clientId).transactional(async (tx) => {
      await work(tx, await currentMoment(tx));
      await markHandled(tx, charge.notifications);
    });
  const report = await askProvider(deps, clientId, charge).catch(async (error: unknown) => {
    if (!(error instanceof PaymentProviderError)) throw error;
    const unknownForGood = error.kind === 'not_found' && charge.since.getTime() < deps.now().getTime() - MAX_UNKNOWN_MS;
    if (unknownForGood) {
      await finish((tx, at) => recordProblem(tx, charge, 'unknown_to_provider', at));
      return null;
    }
    if (error.kind !== 'not_found') {
      await deps.db.tenant(clientId).transactional(async (tx) => {
        await recordProblem(tx, charge, problemOf(error), await currentMoment(tx));
      });
    }
    throw error;
  });
  if (report === null) return;
  const momentOfRow = (row: DebtContext): number => {
    const now = deps.now().getTime();
    return row.id === debtId ? momentOf(clock, row, now) : debtNow(row.clockOffsetMs, now);
  };
  await finish(async (tx) => {
    await applyReport(tx, deps, { chargeId: charge.id, debtId, report, momentOf: momentOfRow });
    await storeAnswer(tx, charge.id);
  });
}

const problemOf = ({ kind }: PaymentProviderError): ChargeProblem =>
  kind === 'unauthorized' ? 'provider_unauthorized' : 'provider_unavailable';
