import { isRevoked, type RevokedReason } from '../../../kernel/revoked-reasons.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { coverSoMuch } from '../../debts/rules/debt-payments.ts';
import { keptCentavos } from '../../terms/rules/credits.ts';
import { paymentsOfDebts } from '../queries/settled-payments.ts';
import type { ReceiptState, SettledPayment } from './read-settled-payments.ts';
import { restoreReceipt, revokeReceipt } from './revoke-receipt.ts';

export interface Revocation {
  readonly at: Date;
  readonly reason: RevokedReason;
}

/** Returns by payment why its receipt is not valid although it is not issued yet: the money has gone back already. */
export async function revocationsOf(
  tx: Tx,
  settled: readonly SettledPayment[],
): Promise<ReadonlyMap<string, Revocation>> {
  const debtIds = settled.map(({ debtId }) => debtId);
  const paid = Map.groupBy(await paymentsOfDebts(tx, debtIds), ({ askedId }) => askedId);
  const revoked = new Map<string, Revocation>();
  for (const { paymentId, debtId, kind, coveredCentavos } of settled) {
    // The money of an agreement settles a debt by what the debt gets of it, which is a payment of its own.
    const counts = (paid.get(debtId) ?? []).filter(({ agreementId }) => kind === 'instalment' || agreementId === null);
    const payments = counts.map((payment) => ({ ...payment, chargedBack: payment.chargedBackAt !== null }));
    // Any other receipt than the Termo states one payment alone.
    const returned = payments.filter(
      (payment) => (kind === 'settlement' || payment.id === paymentId) && keptCentavos(payment) === 0,
    );
    if (returned.length === 0 || (kind === 'settlement' && coverSoMuch(payments, coveredCentavos))) continue;
    const moments = returned.map(({ chargedBackAt, updatedAt }) => (chargedBackAt ?? updatedAt).getTime());
    revoked.set(paymentId, {
      at: new Date(Math.max(...moments)),
      reason: returned.some(({ chargedBack }) => chargedBack) ? 'chargeback' : 'refund',
    });
  }
  return revoked;
}

interface Drawn {
  readonly payment: SettledPayment;
  readonly receipt: ReceiptState;
}

/**
 * Corrects receipts whose payments changed while they were drawn for the first time: a refund that came in between found
 * no receipt to revoke. A corrected receipt loses its lease, so its document is drawn again. The caller holds the locks
 * of the debts, which keep further changes out.
 */
export async function correctBeforeIssue(tx: Tx, drawn: readonly Drawn[], now: Date): Promise<void> {
  const revocations = await revocationsOf(
    tx,
    drawn.map(({ payment }) => payment),
  );
  for (const { payment, receipt } of drawn) {
    const revocation = revocations.get(payment.paymentId);
    if (isRevoked(receipt) === (revocation !== undefined)) continue;
    await (revocation === undefined
      ? restoreReceipt(tx, payment.paymentId, now)
      : revokeReceipt(tx, payment.paymentId, revocation.reason, revocation.at));
  }
}
