import type { Database } from '../../db/database.ts';
import { AppError } from '../../domain/errors.ts';
import type { PaymentStatus } from '../../domain/payment-status.ts';
import { type PaymentState, paymentStatusOf } from './payment-view.ts';

/** Polled by every page that is open. The function sets the debt's own scope itself: one message, and row security holds. */
const STATUS = {
  name: 'checkout_status',
  text: `
    select debt_status as "debtStatus", wrong_person as "wrongPerson", charge_status as "chargeStatus"
    from checkout_status($1)`,
};

export const checkoutStatus =
  ({ db }: { readonly db: Pick<Database, 'pool'> }) =>
  async (debtId: string): Promise<PaymentStatus> => {
    const { rows } = await db.pool.query<PaymentState>({ ...STATUS, values: [debtId] });
    const [state] = rows;
    if (state === undefined) throw new AppError('not_found');
    return paymentStatusOf(state);
  };
