import type { HolidayCalendar } from '../../../kernel/holidays.ts';
import { isRevoked, type RevokedReason } from '../../../kernel/revoked-reasons.ts';
import { anyOf } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { debtContexts } from '../../debts/queries/debts.ts';
import { isCovered } from '../../debts/rules/debt-payments.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { indebtedFor } from '../../debts/use-cases/owed.ts';
import { keptCentavos } from '../../terms/rules/credits.ts';
import { paymentsOfDebts } from '../queries/settled-payments.ts';
import type { ReceiptDeps } from './deps.ts';
import type { ReceiptState, SettledPayment } from './read-settled-payments.ts';
import { restoreReceipt, revokeReceipt } from './revoke-receipt.ts';

export interface Revocation {
  readonly at: Date;
  readonly reason: RevokedReason;
}

/** Returns by payment why its receipt is not valid although it is not issued yet: the money has gone back already. */
export async function revocationsOf(
  tx: Tx,
  { policy }: Pick<ReceiptDeps, 'policy'>,
  settled: readonly SettledPayment[],
): Promise<ReadonlyMap<string, Revocation>> {
  const debtIds = settled.map(({ debtId }) => debtId);
  const paid = Map.groupBy(await paymentsOfDebts(tx, debtIds), ({ askedId }) => askedId);
  const revoked = new Map<string, Revocation>();
  const debts = new Map(
    (await debtContexts(tx).where('debts.id', '=', anyOf(debtIds, 'uuid')).execute()).map((debt) => [debt.id, debt]),
  );
  for (const { paymentId, debtId, kind } of settled) {
    // The receipt of a part states that payment alone.
    const returned = (paid.get(debtId) ?? []).filter(
      (payment) =>
        (kind === 'settlement' || payment.id === paymentId) &&
        keptCentavos({ ...payment, chargedBack: payment.chargedBackAt !== null }) === 0,
    );
    if (returned.length === 0) continue;
    if (kind === 'settlement' && covers(debts.get(debtId)!, policy.holidays)) continue;
    const moments = returned.map(({ chargedBackAt, updatedAt }) => (chargedBackAt ?? updatedAt).getTime());
    revoked.set(paymentId, {
      at: new Date(Math.max(...moments)),
      reason: returned.some(({ chargedBackAt }) => chargedBackAt !== null) ? 'chargeback' : 'refund',
    });
  }
  return revoked;
}

/** Whether the payments that did not go back cover the debt. */
const covers = (debt: DebtContext, holidays: HolidayCalendar): boolean =>
  isCovered({
    indebted: indebtedFor(debt, holidays),
    settled: true,
    payments: debt.credits.map((credit, at) => ({ ...credit, id: String(at), reportedAt: null })),
  });

interface Drawn {
  readonly payment: SettledPayment;
  readonly receipt: ReceiptState;
}

/**
 * Corrects receipts whose payments changed while they were drawn for the first time: a refund that came in between found
 * no receipt to revoke. A corrected receipt loses its lease, so its document is drawn again. The caller holds the locks
 * of the debts, which keep further changes out.
 */
export async function correctBeforeIssue(
  tx: Tx,
  deps: Pick<ReceiptDeps, 'policy'>,
  drawn: readonly Drawn[],
  now: Date,
): Promise<void> {
  const revocations = await revocationsOf(
    tx,
    deps,
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
