import { randomUUID } from 'node:crypto';
import type { Tx } from '../../../platform/database/tx.ts';
import type { RequestSource } from '../../accounts/queries/add-audit.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import {
  hasPaidCode,
  insertReceived,
  lockKeyOfReceived,
  lockReceivedByKey,
  type StoredReceived,
  setSettled,
} from '../../payments/queries/received-payments.ts';
import { lockPayments } from '../../payments/use-cases/apply-report.ts';
import { recordOutsidePayment } from '../../payments/use-cases/settle-debt.ts';
import { recordedPayments } from '../queries/known-payments.ts';
import type { MatchableDebt } from '../rules/matchable-debt.ts';
import { compareKeys } from '../rules/payment-key.ts';
import { type KeyedPayment, type KnownCode, mayBeSame } from '../rules/plan-rows.ts';
import type { SettlementFileDeps } from './deps.ts';
import { toRecorded } from './read-facts.ts';

export interface RowToSettle {
  readonly clientId: string;
  readonly source: RequestSource;
  readonly payment: KeyedPayment;
  readonly debt: MatchableDebt;
}

export type SettledRow =
  | { readonly state: 'settled'; readonly settlementId: string }
  | { readonly state: 'known'; readonly code: KnownCode; readonly settlementId: string | null }
  | { readonly state: 'unmatched' };

/**
 * Records one payment of a file about its debt, in a transaction of its own: a file that is cut off in the middle, or is
 * sent twice at once, loses no payment and records none twice. What another request has recorded since the file was
 * matched is known.
 */
export const settleRow =
  (deps: SettlementFileDeps) =>
  async ({ clientId, source, payment, debt }: RowToSettle): Promise<SettledRow> =>
    deps.db.tenant(clientId).transactional(async (tx) => {
      const before = await lockPayments(tx, debt.id);
      if (before === null) return { state: 'unmatched' };
      const { current } = before;
      const { key, amountCentavos, paidAt, endToEndId, invoiceId, taxId } = payment;
      const method = payment.method ?? 'other';
      const id = randomUUID();
      const row = { id, clientId, source: 'file', key, amountCentavos, paidAt, method, state: 'unmatched' } as const;
      await lockKeyOfReceived(tx, clientId, key);
      const told = await lockReceivedByKey(tx, clientId, key);
      if (told !== undefined && told.state !== 'unmatched') return repeated(told);
      // Nothing is stored of what is recorded already: it would wait for a person for ever.
      if (await isRecorded(tx, clientId, payment, current))
        return { state: 'known', code: 'recorded', settlementId: null };
      await insertReceived(tx, [{ ...row, endToEndId, invoiceId, taxId: current.erased ? null : taxId }]);
      const received = await lockReceivedByKey(tx, clientId, key);
      if (received === undefined) throw new Error('A received payment is gone although it was just stored');
      if (received.state !== 'unmatched') return repeated(received);
      const paymentId = randomUUID();
      const outside = { clientId, debtId: current.id, paymentId, amountCentavos, paidAt, method, endToEndId };
      await recordOutsidePayment(tx, deps, before, { ...outside, note: null, rest: null, source });
      await setSettled(tx, received.id, { debtId: current.id, chargeId: paymentId });
      return { state: 'settled', settlementId: received.id };
    });

const repeated = ({ id, state }: Pick<StoredReceived, 'id' | 'state'>): SettledRow => ({
  state: 'known',
  code: 'repeated',
  settlementId: state === 'settled' ? id : null,
});

/** Whether the payment is recorded about the debt by now, or has paid a code, whichever debt that is of. */
async function isRecorded(
  tx: Tx,
  clientId: string,
  payment: KeyedPayment,
  { identityId }: DebtContext,
): Promise<boolean> {
  const { key, endToEndId } = payment;
  if (await hasPaidCode(tx, clientId, endToEndId)) return true;
  const recorded = await recordedPayments(tx, [identityId]);
  return recorded
    .map(toRecorded)
    .some((one) => one.key === key || (mayBeSame(one, payment) && compareKeys(key, one.key) === 'same'));
}
