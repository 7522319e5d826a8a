import { AppError } from '../../../kernel/errors.ts';
import type { PaymentStatus } from '../../../kernel/payment-status.ts';
import type { Database } from '../../../platform/database/database.ts';
import { createBatchedLookup } from '../../../platform/shared/batched-lookup.ts';
import { CHECKOUT_STATES } from '../queries/payment-states.ts';
import { statusOfAgreement } from './agreement-on-page.ts';
import { paymentStatusOf } from './payment-view.ts';

/** Every open page of a debtor polls one of these, so one statement answers all pages that ask at the same time. */
export const checkoutStatuses = ({ db }: { readonly db: Pick<Database, 'runUnscoped'> }) => {
  const find = createBatchedLookup(
    (debtIds) => db.runUnscoped(CHECKOUT_STATES, { debtIds }),
    ({ key }) => key,
  );
  const stateOf = async (debtId: string) => {
    const state = await find(debtId.toLowerCase());
    if (state === undefined) throw new AppError('not_found');
    return state;
  };
  return {
    checkoutStatus: async (debtId: string): Promise<PaymentStatus> => paymentStatusOf(await stateOf(debtId)),
    /** What the page of an agreement waits for. Of a debt that is in none any more it is the status of its payment. */
    agreementStatus: async (debtId: string): Promise<PaymentStatus> => {
      const state = await stateOf(debtId);
      return state.debtStatus === 'AGREEMENT' ? statusOfAgreement(state.chargeStatus) : paymentStatusOf(state);
    },
  };
};
