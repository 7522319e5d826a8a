import { readAgreement, type StoredAgreement } from '../../agreements/queries/agreements.ts';
import { agreedRest, instalmentStates } from '../../agreements/rules/agreement-state.ts';
import type { AgreementTask } from '../../agreements/rules/agreement-task.ts';
import { momentOfAgreement } from '../../agreements/use-cases/read-agreements.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { chargesOfAgreement } from '../queries/charges-of-agreements.ts';
import { markHandled, NOTIFIED_CHARGES_OF_AGREEMENT } from '../queries/payment-notifications.ts';
import { lockAgreementAt } from './agreement-money.ts';
import { applyToOwner } from './apply-answer.ts';
import { lockPayments, recordProblem } from './apply-report.ts';
import { cancelCharge } from './cancel-charges.ts';
import { lockWithRecorded } from './count-once.ts';
import type { PaymentDeps } from './deps.ts';
import { canBePaid, type MadeCharge } from './payable.ts';
import { sendDueRefunds } from './send-refunds.ts';
import { type Answer, askAboutNotified } from './settle-payment.ts';

/**
 * Asks the provider about the notified codes of an agreement, and applies the answers together. Codes that ask for what is
 * paid by now are cancelled.
 */
export const settleAgreement =
  (deps: PaymentDeps) =>
  async ({ clientId, agreementId, clock }: AgreementTask): Promise<void> => {
    const notified = await deps.db.readPrepared({ clientId }, NOTIFIED_CHARGES_OF_AGREEMENT, { agreementId });
    const answers = await Promise.all(notified.map((charge) => askAboutNotified(deps, clientId, charge)));
    const codes = await apply(deps, { clientId, agreementId, clock }, answers);
    await sendDueRefunds(deps, clientId, { agreementId });
    for (const { failure } of answers) if (failure !== null) throw failure;
    for (const code of codes) await cancelCharge(deps, clientId, code);
  };

const apply = (
  deps: PaymentDeps,
  { clientId, agreementId, clock }: Pick<AgreementTask, 'clientId' | 'agreementId' | 'clock'>,
  answers: readonly Answer[],
): Promise<MadeCharge[]> =>
  deps.db.tenant(clientId).transactional(async (tx) => {
    await lockWithRecorded(
      tx,
      clientId,
      answers.map(({ charge }) => charge.debtId),
      answers.flatMap(({ report }) => report ?? []),
    );
    const locked = await lockAgreementAt(tx, agreementId, clock.offsetMs);
    if (locked === null) return [];
    const now = deps.now().getTime();
    const momentOf = ({ clockOffsetMs }: Pick<DebtContext, 'clockOffsetMs'>): number => debtNow(clockOffsetMs, now);
    for (const { charge, report, problem } of answers) {
      const known = report === null ? null : await lockPayments(tx, charge.debtId);
      // The debt may have another agreement by now, to which the money belongs.
      if (report !== null && known !== null) {
        await applyToOwner({ tx, deps, momentOf }, known, charge.id, report, agreementId);
      }
      if (problem !== null) await recordProblem(tx, charge, problem, momentOfAgreement(locked.agreement, now));
    }
    const handled = answers.filter(({ failure }) => failure === null).flatMap(({ charge }) => charge.notifications);
    if (handled.length > 0) await markHandled(tx, handled);
    const agreement = (await readAgreement(tx, agreementId)) ?? locked.agreement;
    return outdatedCodes(agreement, (await chargesOfAgreement(tx, agreementId)).filter(canBePaid));
  });

/** Returns the codes of an agreement that nobody should pay any more. */
function outdatedCodes(agreement: StoredAgreement, codes: readonly MadeCharge[]): MadeCharge[] {
  const rest = agreedRest(agreement);
  const open = new Map(
    instalmentStates(agreement, agreement.agreedOn).map(({ number, openCentavos }) => [number, openCentavos]),
  );
  return codes.filter(
    ({ supersededAt, instalment, amountCentavos }) =>
      supersededAt !== null || amountCentavos > (instalment === null ? rest : (open.get(instalment) ?? 0)),
  );
}
