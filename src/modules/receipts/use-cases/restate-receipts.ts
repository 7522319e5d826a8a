import type { Tx } from '../../../platform/database/tx.ts';
import { revokeQuittancesOf } from '../queries/annual-quittances.ts';
import { setPaymentFacts } from '../queries/receipts.ts';
import type { PaidOne } from '../queries/settled-payments.ts';
import { type FactDeps, readPaymentFacts } from './read-settled-payments.ts';

/**
 * Lets the valid receipts of a debt or an agreement say what came without a payment that was taken back as a mistake. They
 * keep their protocols and are drawn again at the next request. An annual quittance with the payment that settles the debt has stated
 * that money too, also while there is no Termo, so it is revoked.
 */
export const restateReceipts =
  (deps: FactDeps) =>
  async (tx: Tx, of: PaidOne, at: Date): Promise<void> => {
    for (const { receiptId, paymentId, payment } of await readPaymentFacts(tx, deps, of)) {
      if (receiptId !== null) await setPaymentFacts(tx, receiptId, payment);
      await revokeQuittancesOf(tx, paymentId, { at, reason: 'undone' });
    }
  };
