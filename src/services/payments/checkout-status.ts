import type { Database } from '../../db/database.ts';
import { AppError } from '../../domain/errors.ts';
import type { PaymentStatus } from '../../domain/payment-status.ts';
import { type PaymentState, paymentStatusOf } from './payment-view.ts';

/**
 * Polled by every page that is open, so it is one message to the server: the statement sets the debt's own scope, for its
 * own transaction, before it reads. `offset 0` keeps the inner select in its place, after the scope whose id it needs;
 * were it ever read first, row security would show it nothing.
 */
const STATUS = {
  name: 'checkout_status',
  text: `
    select found.* from set_config('app.debt_id', $1, true) as scope (id) cross join lateral (
      select status as "debtStatus", wrong_person_at is not null as "wrongPerson",
        (select status from charges where debt_id = debts.id and provider_payment_id is not null
          order by attempt desc limit 1) as "chargeStatus"
      from debts where id = scope.id::uuid offset 0
    ) as found`,
};

export const checkoutStatus =
  ({ db }: { readonly db: Pick<Database, 'pool'> }) =>
  async (debtId: string): Promise<PaymentStatus> => {
    const { rows } = await db.pool.query<PaymentState>({ ...STATUS, values: [debtId] });
    const [state] = rows;
    if (state === undefined) throw new AppError('not_found');
    return paymentStatusOf(state);
  };
