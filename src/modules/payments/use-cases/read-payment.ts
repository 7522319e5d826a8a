import { AppError } from '../../../kernel/errors.ts';
import { toReais } from '../../../kernel/money.ts';
import type { PaymentStatus } from '../../../kernel/payment-status.ts';
import type { Database } from '../../../platform/database/database.ts';
import { createBatchedLookup } from '../../../platform/shared/batched-lookup.ts';
import { PAYMENTS_OF_DEBTS } from '../queries/payment-states.ts';
import { isPayable } from './payable.ts';
import { paymentStatusOf } from './payment-view.ts';

export interface PaymentView {
  readonly debtId: string;
  readonly paymentId: string | null;
  readonly providerPaymentId: string | null;
  readonly status: PaymentStatus;
  readonly amount: number;
  readonly currency: 'BRL';
  readonly brCode: string | null;
  readonly expiresAt: string | null;
  readonly paidAt: string | null;
  readonly receiptProtocol: string | null;
}

interface Deps {
  readonly db: Pick<Database, 'runSigned'>;
  readonly now: () => Date;
}

const keyOf = ({ clientId, debtId }: { readonly clientId: string; readonly debtId: string }): string =>
  `${clientId}:${debtId.toLowerCase()}`;

/** Programs of clients poll this, so one statement answers all requests that ask at the same time. */
export const readPayment = ({ db, now }: Deps) => {
  const rowsOf = async (keys: readonly string[]) => {
    const pairs = keys.map((key) => key.split(':') as [clientId: string, debtId: string]);
    const debtIds = pairs.map(([, debtId]) => debtId);
    return db.runSigned(PAYMENTS_OF_DEBTS, (sign) => ({
      signedClients: pairs.map(([clientId]) => sign('app.client_id', clientId)),
      debtIds,
    }));
  };
  const find = createBatchedLookup(rowsOf, keyOf);
  return async ({ clientId, debtId }: { readonly clientId: string; readonly debtId: string }): Promise<PaymentView> => {
    const row = await find(keyOf({ clientId, debtId }));
    if (row === undefined) throw new AppError('not_found');
    const { paymentId, providerPaymentId, expiresAt } = row;
    const status = paymentStatusOf(row);
    const live = row.chargeStatus === 'PENDING' && row.underpaidAt === null && expiresAt !== null && expiresAt > now();
    return {
      debtId,
      paymentId,
      providerPaymentId,
      status,
      amount: toReais(row.amountCentavos ?? row.debtAmountCentavos),
      currency: 'BRL',
      brCode: live && isPayable(row.debtStatus) ? row.brCode : null,
      // What the client received elsewhere was never a code that expires.
      expiresAt: providerPaymentId === null ? null : (expiresAt?.toISOString() ?? null),
      paidAt: row.paidAt?.toISOString() ?? null,
      // The receipt of a part is not that of the debt.
      receiptProtocol: row.underpaidAt === null ? row.receiptProtocol : null,
    };
  };
};
