import type { Database } from '../../db/database.ts';
import { AppError } from '../../domain/errors.ts';
import type { PaymentStatus } from '../../domain/payment-status.ts';
import { createLookup } from '../lookup.ts';
import { type PaymentState, paymentStatusOf } from './payment-view.ts';

/**
 * Polled by every page that is open, so it is one message to the server for all that ask at once: the statement sets the
 * scope of these debts, for its own transaction, before it reads. `offset 0` keeps the inner select in its place, after
 * the scope whose ids it needs; were it ever read first, row security would show it nothing.
 */
const STATUS = {
  name: 'checkout_statuses',
  text: `
    select found.* from set_config('app.debt_ids', array_to_string($1::uuid[], ','), true) as scope (ids) cross join lateral (
      select id as key, status as "debtStatus", wrong_person_at is not null as "wrongPerson",
        (select status from charges where debt_id = debts.id and provider_payment_id is not null
          order by attempt desc limit 1) as "chargeStatus"
      from debts where id = any (string_to_array(scope.ids, ',')::uuid[]) offset 0
    ) as found`,
};

interface Found extends PaymentState {
  readonly key: string;
}

export const checkoutStatus = ({ db }: { readonly db: Pick<Database, 'pool'> }) => {
  const stateOf = createLookup<Found>(db, STATUS);
  return async (debtId: string): Promise<PaymentStatus> => {
    const state = await stateOf(debtId.toLowerCase());
    if (state === undefined) throw new AppError('not_found');
    return paymentStatusOf(state);
  };
};
