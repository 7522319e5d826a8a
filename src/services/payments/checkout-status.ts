import type { Database } from '../../db/database.ts';
import { AppError } from '../../domain/errors.ts';
import type { PaymentStatus } from '../../domain/payment-status.ts';
import { createBatchedLookup } from '../shared/batched-lookup.ts';
import { type PaymentState, paymentStatusOf } from './payment-view.ts';

/** Polled by every page that is open, so it is one message to the server for all that ask at once. */
const STATUS = {
  name: 'checkout_statuses',
  text: `
    select key, debt_status as "debtStatus", wrong_person as "wrongPerson", charge_status as "chargeStatus"
    from checkout_states($1)`,
};

interface Found extends PaymentState {
  readonly key: string;
}

export const checkoutStatus = ({ db }: { readonly db: Pick<Database, 'pool'> }) => {
  const stateOf = createBatchedLookup<Found>(db, STATUS, (ids) => [ids]);
  return async (debtId: string): Promise<PaymentStatus> => {
    const state = await stateOf(debtId.toLowerCase());
    if (state === undefined) throw new AppError('not_found');
    return paymentStatusOf(state);
  };
};
