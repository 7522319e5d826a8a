import type { Database } from '../../db/database.ts';
import { CHECKOUT_STATES } from '../../db/queries/payment-states.ts';
import { AppError } from '../../domain/errors.ts';
import type { PaymentStatus } from '../../domain/payment-status.ts';
import { createBatchedLookup } from '../shared/batched-lookup.ts';
import { paymentStatusOf } from './payment-view.ts';

/** Every open page of a debtor polls this, so one statement answers all pages that ask at the same time. */
export const checkoutStatus = ({ db }: { readonly db: Pick<Database, 'runUnscoped'> }) => {
  const stateOf = createBatchedLookup(
    (debtIds) => db.runUnscoped(CHECKOUT_STATES, { debtIds }),
    ({ key }) => key,
  );
  return async (debtId: string): Promise<PaymentStatus> => {
    const state = await stateOf(debtId.toLowerCase());
    if (state === undefined) throw new AppError('not_found');
    return paymentStatusOf(state);
  };
};
