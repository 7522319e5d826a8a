import type { Database } from '../../db/database.ts';
import { AppError } from '../../domain/errors.ts';
import type { PaymentStatus } from '../../domain/payment-status.ts';
import { type PaymentState, paymentStatusOf } from './payment-view.ts';

/** Polled by every page that is open: one row, in one round trip, under the debt's own row security. */
export const CHECKOUT_STATUS = {
  name: 'checkout_status',
  text: `
    select status as "debtStatus", wrong_person_at is not null as "wrongPerson",
      (select status from charges where debt_id = debts.id and provider_payment_id is not null
        order by attempt desc limit 1) as "chargeStatus"
    from debts where id = $1`,
};

export const checkoutStatus =
  ({ db }: { readonly db: Pick<Database, 'read'> }) =>
  async (debtId: string): Promise<PaymentStatus> => {
    const [state] = await db.read<PaymentState>({ debtId }, CHECKOUT_STATUS, [debtId]);
    if (state === undefined) throw new AppError('not_found');
    return paymentStatusOf(state);
  };
