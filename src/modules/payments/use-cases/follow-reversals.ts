import { randomUUID } from 'node:crypto';
import { toReais } from '../../../kernel/money.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { type DebtContext, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import type { Charge } from '../queries/charges.ts';
import { changeRefund, insertRefund, refundsOfCharges } from '../queries/refunds.ts';
import type { ProviderReversal } from '../rules/refunds.ts';
import { compareReversals, type KnownRefund, toldReturn, type UnaskedReturn } from '../rules/refunds.ts';
import type { ChangeContext } from './apply-report.ts';

/**
 * Stores what a report about a payment says of its returns, each once, and returns the one that nobody asked for here and of
 * which the client has to hear; null when there is none. The debt is locked.
 */
export async function followReversals(
  context: ChangeContext,
  current: DebtContext,
  charge: Charge,
  reversals: readonly ProviderReversal[],
): Promise<UnaskedReturn | null> {
  if (reversals.length === 0) return null;
  const { tx, deps } = context;
  const told = compareReversals(await refundsOfCharges(tx, [charge.id]), reversals);
  for (const { id, kind, state, amountCentavos, contestUntil } of told.unasked) {
    await insertRefund(tx, {
      id: randomUUID(),
      clientId: current.clientId,
      debtId: charge.debtId,
      chargeId: charge.id,
      kind,
      state,
      amountCentavos,
      reason: null,
      askedBy: null,
      providerRefundId: id,
      contestUntil,
      askAt: null,
      createdAt: deps.now(),
    });
  }
  for (const { refund, reversal } of told.changed) await endRefund(context, charge, refund, reversal);
  return toldReturn(told);
}

/** Stores how a known return stands now. The client learns of its own refund that did not go through. */
async function endRefund(
  context: ChangeContext,
  charge: Charge,
  refund: KnownRefund,
  { id, state, contestUntil }: ProviderReversal,
): Promise<void> {
  const isOver = state === 'pending' ? {} : { askAt: null };
  const isOwnFailure = state === 'failed' && (refund.kind === 'asked' || refund.kind === 'excess');
  const failure = isOwnFailure ? 'not_made' : null;
  await changeRefund(context.tx, refund.id, { state, providerRefundId: id, contestUntil, failure, ...isOver });
  if (isOwnFailure) {
    await tellOfFailedRefund(context, charge.debtId, { ...refund, chargeId: charge.id });
  }
}

/** The timeline of the debt says that money did not go back, so that staff can ask again. */
export async function tellOfFailedRefund(
  { tx, deps }: Pick<ChangeContext, 'tx' | 'deps'>,
  debtId: string,
  {
    id: refundId,
    chargeId,
    amountCentavos,
  }: Pick<KnownRefund, 'id' | 'amountCentavos'> & { readonly chargeId: string },
): Promise<void> {
  const debt = await loadDebt(tx, debtId);
  if (debt === null) return;
  const amount = toReais(amountCentavos);
  await recordEntries(tx, debtId, debtNow(debt.clockOffsetMs, deps.now().getTime()), [
    { kind: 'payment_changed', paymentId: chargeId, change: 'refund_failed', refundId, amount },
  ]);
}
