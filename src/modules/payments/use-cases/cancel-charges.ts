import type { LocalDate } from '../../../kernel/calendar.ts';
import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { currentRowOf, type DebtContext, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { owedNow, owedOfDebt } from '../../debts/use-cases/owed.ts';
import { PaymentProviderError } from '../ports/payment-provider.ts';
import { type Charge, cancelPendingCharge, chargesOfDebt } from '../queries/charges.ts';
import { askInNextRun } from '../queries/reconciliation.ts';
import { applyAnswer } from './apply-answer.ts';
import type { PaymentDeps } from './deps.ts';
import { canBePaid, type MadeCharge } from './payable.ts';

/** True for a debt that is paid, withdrawn or archived. After a wrong person, the right one may still pay the debt. */
export const closesCharges = (debt: { readonly status: DebtStatus; readonly wrongPerson: boolean }): boolean =>
  debt.status === 'PAID' || (debt.status === 'STOPPED' && !debt.wrongPerson);

/**
 * Returns the codes that nobody should pay any more: all open codes of a closed debt, and of any other debt those that
 * were replaced while the provider made them, and those that ask for more than is open since a part was paid.
 */
export function codesToCancel(
  deps: Pick<PaymentDeps, 'policy' | 'now'>,
  current: DebtContext,
  charges: readonly Charge[],
): MadeCharge[] {
  const today = owedNow(deps, current);
  // A simulated step makes a code by its own clock, which is stored with the debt a moment later.
  const openFor = (askedOn: LocalDate | null): number =>
    closesCharges(current)
      ? 0
      : askedOn !== null && askedOn > today.on
        ? owedOfDebt(current, askedOn, deps.policy.holidays).total
        : today.total;
  return charges
    .filter(canBePaid)
    .filter(({ supersededAt, amountCentavos, askedOn }) => supersededAt !== null || amountCentavos > openFor(askedOn));
}

/** Cancels such codes of a debt at the provider. */
export const cancelCharges =
  (deps: PaymentDeps) =>
  async ({ clientId, debtId }: { readonly clientId: string; readonly debtId: string }): Promise<void> => {
    const open = await deps.db.tenant(clientId).transactional(async (tx) => {
      const current = await currentRowOf(tx, debtId);
      const debt = current === undefined ? null : await loadDebt(tx, current);
      if (debt === null) return [];
      return codesToCancel(deps, debt, await chargesOfDebt(tx, debtId));
    });
    for (const charge of open) await cancelCharge(deps, clientId, charge);
  };

/** Cancels one code. When the provider fails, the next reconciliation repeats the cancellation. */
export async function cancelCharge(deps: PaymentDeps, clientId: string, charge: MadeCharge): Promise<void> {
  try {
    await cancelAtProvider(deps, clientId, charge);
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    await deps.db.tenant(clientId).transactional((tx) => askInNextRun(tx, charge.id));
  }
}

type ChargeToCancel = Pick<MadeCharge, 'id' | 'debtId' | 'provider' | 'accountId' | 'providerPaymentId'>;

/** Cancels one code at the account that made it; throws when the provider fails. */
export async function cancelAtProvider(deps: PaymentDeps, clientId: string, charge: ChargeToCancel): Promise<void> {
  const db = deps.db.tenant(clientId);
  const id = charge.providerPaymentId;
  const { provider, credentials } = await deps.accountOf({ ...charge, clientId });
  try {
    await provider.cancelCharge(id, credentials);
    await db.transactional((tx) => cancelPendingCharge(tx, charge.id));
  } catch (error) {
    if (!(error instanceof PaymentProviderError) || error.kind !== 'conflict') throw error;
    // The code was paid meanwhile. The client has to learn of this second payment.
    const report = await provider.getCharge(id, credentials);
    const now = deps.now().getTime();
    await applyAnswer(deps, { clientId, debtId: charge.debtId, chargeId: charge.id }, report, ({ clockOffsetMs }) =>
      debtNow(clockOffsetMs, now),
    );
  }
}
