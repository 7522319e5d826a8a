import type { StoredAgreement } from '../../agreements/queries/agreements.ts';
import { agreedRest, instalmentStates } from '../../agreements/rules/agreement-state.ts';
import type { AgreementTask } from '../../agreements/rules/agreement-task.ts';
import { keepClock } from '../../debts/use-cases/debt-context.ts';
import { chargesOfAgreement, supersedeOpenCodes } from '../queries/charges.ts';
import { markHandled, NOTIFIED_CHARGES_OF_AGREEMENT } from '../queries/payment-notifications.ts';
import { applyAgreementReport, lockAgreement, momentOfAgreement } from './agreement-money.ts';
import { recordProblem } from './apply-report.ts';
import { cancelCharge } from './cancel-charges.ts';
import type { PaymentDeps } from './deps.ts';
import { canBePaid, type MadeCharge } from './payable.ts';
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
    for (const { failure } of answers) if (failure !== null) throw failure;
    for (const code of codes) await cancelCharge(deps, clientId, code);
  };

const apply = (
  deps: PaymentDeps,
  { clientId, agreementId, clock }: Pick<AgreementTask, 'clientId' | 'agreementId' | 'clock'>,
  answers: readonly Answer[],
): Promise<MadeCharge[]> =>
  deps.db.tenant(clientId).transactional(async (tx) => {
    let locked = await lockAgreement(tx, agreementId);
    if (locked === null) return [];
    for (const row of locked.rows) await keepClock(tx, row, clock.offsetMs);
    const momentOf = () => momentOfAgreement(locked!.agreement, deps.now());
    for (const { charge, report, problem } of answers) {
      const stored = (await chargesOfAgreement(tx, agreementId)).find(({ id }) => id === charge.id);
      if (report !== null && stored !== undefined) {
        await applyAgreementReport({ tx, deps, momentOf }, locked, stored, report);
        locked = (await lockAgreement(tx, agreementId)) ?? locked;
      }
      if (problem !== null) await recordProblem(tx, charge, problem, momentOf());
    }
    const handled = answers.filter(({ failure }) => failure === null).flatMap(({ charge }) => charge.notifications);
    if (handled.length > 0) await markHandled(tx, handled);
    if (locked.agreement.status !== 'ACTIVE') await supersedeOpenCodes(tx, { agreementId });
    return outdatedCodes(locked.agreement, (await chargesOfAgreement(tx, agreementId)).filter(canBePaid));
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
