import { asPersonSees, type DebtContext, isOfAnother, loadDebt } from '../../debts/use-cases/debt-context.ts';
import type { DebtFacts } from '../../messaging/ports/collection-agent.ts';
import { debtsInWords } from '../../messaging/texts/replies.ts';
import { factsOf } from '../../messaging/use-cases/debt-facts.ts';
import { PaymentProviderError } from '../../payments/ports/payment-provider.ts';
import { checkClaimOfPayment } from '../../payments/use-cases/check-claim-of-payment.ts';
import { findOrMakeCharge, type LiveCharge } from '../../payments/use-cases/find-or-make-charge.ts';
import type { CollectionDeps } from '../deps.ts';
import type { Applied } from './apply-intent.ts';
import type { HeardTurn } from './hear-turn.ts';

/** An answer does not wait for a provider that fails, because the link in the answer leads to the code as well. */
export async function codeFor({ payments }: CollectionDeps, debt: DebtContext, at: number): Promise<LiveCharge | null> {
  if (debt.wrongPerson || isOfAnother(debt)) return null;
  const { clientId, id: debtId } = debt;
  try {
    return await findOrMakeCharge(payments)({ clientId, debtId, at });
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    return null;
  }
}

/** The provider is asked before the answer, so that a debtor who has paid reads so at once. */
export async function askedAbout(deps: CollectionDeps, debt: DebtContext, now: number): Promise<DebtContext> {
  const { id: debtId, clientId } = debt;
  await checkClaimOfPayment(deps.payments)({ clientId, debtId, now });
  return (await deps.db.tenant(clientId).transactional((tx) => loadDebt(tx, debtId))) ?? debt;
}

/**
 * The answer follows from the state of the debt when the message came, except that a payment and a wrong person count
 * at once.
 */
export function factsAfter(
  deps: CollectionDeps,
  before: Pick<HeardTurn, 'debt' | 'others' | 'fromStranger' | 'rightsPageId'>,
  after: Applied,
  brCode: string | null,
): DebtFacts {
  const { debt, disputed } = after;
  const facts = factsOf(asPersonSees(debt.status === 'PAID' ? debt : before.debt), deps, {
    brCode,
    others: before.others,
    rightsPageId: before.rightsPageId,
  });
  if (debt.wrongPerson || before.fromStranger) return { ...facts, situation: 'wrong_person' };
  return disputed.length === 0 ? facts : { ...facts, disputed: debtsInWords(disputed) };
}
