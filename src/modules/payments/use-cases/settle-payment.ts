import { isLive } from '../../../kernel/debt-status.ts';
import type { DebtTask } from '../../debts/rules/debt-task.ts';
import type { KnowingStep } from '../../debts/rules/next-step.ts';
import type { ChargeProblem } from '../../debts/rules/timeline-entry.ts';
import { debtNow, momentOf } from '../../debts/use-cases/clock.ts';
import { type DebtContext, keepClock } from '../../debts/use-cases/debt-context.ts';
import { nextStepIn } from '../../debts/use-cases/next-step.ts';
import { releaseReservations } from '../../messaging/use-cases/contact-ledger.ts';
import { PaymentProviderError, type ProviderCharge } from '../ports/payment-provider.ts';
import { chargesOfDebt, supersedeOpenCodes } from '../queries/charges.ts';
import { markHandled, NOTIFIED_CHARGES, type NotifiedCharge } from '../queries/payment-notifications.ts';
import { applyToOwner } from './apply-answer.ts';
import { askProvider, lockPayments, recordProblem } from './apply-report.ts';
import { cancelCharge, codesToCancel } from './cancel-charges.ts';
import { lockWithRecorded } from './count-once.ts';
import type { PaymentDeps } from './deps.ts';
import type { MadeCharge } from './payable.ts';
import { sendDueRefunds } from './send-refunds.ts';

/**
 * A provider may send a notification before its API knows the id. After this time the id counts as unknown for good.
 */
const MAX_UNKNOWN_MS = 10 * 60_000;

/** What is known of a notified charge once the provider was asked. */
export interface Answer {
  readonly charge: NotifiedCharge;
  readonly report: ProviderCharge | null;
  /** Why there is no report, as the timeline shows it; null where it shows nothing yet. */
  readonly problem: ChargeProblem | null;
  /** The charge is to be asked about again. */
  readonly failure: PaymentProviderError | null;
}

/**
 * Asks the provider about every charge of the debt that has an unhandled notification, and applies the answers together.
 * It also finishes what a payment leaves to do, whoever recorded it: codes are cancelled, and the slot of the next
 * contact is free for others. Refunds that were asked for are sent.
 */
export const settlePayment =
  (deps: PaymentDeps) =>
  async (request: DebtTask): Promise<KnowingStep> => {
    const { clientId, debtId } = request;
    const notified = await deps.db.readPrepared({ clientId }, NOTIFIED_CHARGES, { debtId });
    const answers = await Promise.all(notified.map((charge) => askAboutNotified(deps, clientId, charge)));
    const { step, codes } = await applyAnswers(deps, request, answers);
    await sendDueRefunds(deps, clientId, { debtId });
    for (const { failure } of answers) if (failure !== null) throw failure;
    for (const code of codes) await cancelCharge(deps, clientId, code);
    return step;
  };

/** Asks the provider about a notified charge, and tells a failure that passes from one that says something. */
export async function askAboutNotified(deps: PaymentDeps, clientId: string, charge: NotifiedCharge): Promise<Answer> {
  try {
    return { charge, report: await askProvider(deps, clientId, charge), problem: null, failure: null };
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    if (error.kind !== 'not_found') {
      const problem = error.kind === 'unauthorized' ? 'provider_unauthorized' : 'provider_unavailable';
      return { charge, report: null, problem, failure: error };
    }
    const isUnknownForGood = charge.since.getTime() < deps.now().getTime() - MAX_UNKNOWN_MS;
    return isUnknownForGood
      ? { charge, report: null, problem: 'unknown_to_provider', failure: null }
      : { charge, report: null, problem: null, failure: error };
  }
}

interface Settled {
  readonly step: KnowingStep;
  /** The codes that nobody should pay any more. */
  readonly codes: readonly MadeCharge[];
}

const applyAnswers = (
  deps: PaymentDeps,
  { clientId, debtId, clock }: DebtTask,
  answers: readonly Answer[],
): Promise<Settled> =>
  deps.db.tenant(clientId).transactional(async (tx) => {
    const now = deps.now().getTime();
    const momentOfRow = (row: DebtContext): number =>
      row.id === debtId ? momentOf(clock, row, now) : debtNow(row.clockOffsetMs, now);
    await lockWithRecorded(
      tx,
      clientId,
      [debtId],
      answers.flatMap(({ report }) => report ?? []),
    );
    let known = await lockPayments(tx, debtId);
    const row = known?.rows.find(({ id }) => id === debtId);
    if (known === null || row === undefined) return { step: await nextStepIn(tx, debtId, false), codes: [] };
    await keepClock(tx, row, clock.offsetMs);
    for (const { charge, report, problem } of answers) {
      if (report !== null)
        ({ known } = await applyToOwner({ tx, deps, momentOf: momentOfRow }, known, charge.id, report));
      if (problem !== null) await recordProblem(tx, charge, problem, momentOfRow(row));
    }
    const handled = answers.filter(({ failure }) => failure === null).flatMap(({ charge }) => charge.notifications);
    if (handled.length > 0) await markHandled(tx, handled);
    const { current } = known;
    // An agreement has codes of its own.
    const isAgreed = current.status === 'AGREEMENT';
    if (isAgreed) await supersedeOpenCodes(tx, { debtId: current.id });
    const charges = isAgreed ? await chargesOfDebt(tx, debtId) : known.charges;
    // A row that an import has continued is not collected any more.
    if (current.id !== debtId || !isLive(current.status)) await releaseReservations(tx, [debtId]);
    return { step: await nextStepIn(tx, debtId, false), codes: codesToCancel(deps, current, charges) };
  });
