import { AppError } from '../../../kernel/errors.ts';
import type { PaymentStatus } from '../../../kernel/payment-status.ts';
import type { Database } from '../../../platform/database/database.ts';
import { createBatchedLookup } from '../../../platform/shared/batched-lookup.ts';
import { CHECKOUT_STATES } from '../queries/payment-states.ts';
import { statusOfAgreement } from './agreement-on-page.ts';
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
    return state.debtStatus === 'AGREEMENT' ? statusOfAgreement(state.chargeStatus) : paymentStatusOf(state);
  };
};
