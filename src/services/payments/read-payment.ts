import type { Database } from '../../db/database.ts';
import { AppError } from '../../domain/errors.ts';
import { toReais } from '../../domain/money.ts';
import type { PaymentStatus } from '../../domain/payment-status.ts';
import { createBatchedLookup } from '../shared/batched-lookup.ts';
import { isPayable } from './payable.ts';
import { type PaymentState, paymentStatusOf } from './payment-view.ts';

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

interface Row extends PaymentState {
  readonly key: string;
  readonly debtAmountCentavos: number;
  readonly underpaidAt: Date | null;
  readonly paymentId: string | null;
  readonly providerPaymentId: string | null;
  readonly amountCentavos: number | null;
  readonly brCode: string | null;
  readonly expiresAt: Date | null;
  readonly paidAt: Date | null;
  readonly receiptProtocol: string | null;
}

const PAYMENTS = {
  name: 'debt_payments',
  text: `
    select client_id || ':' || debt_id as key, debt_status as "debtStatus", wrong_person as "wrongPerson",
      debt_amount_centavos as "debtAmountCentavos", payment_id as "paymentId",
      provider_payment_id as "providerPaymentId", charge_status as "chargeStatus", amount_centavos as "amountCentavos",
      br_code as "brCode", expires_at as "expiresAt", paid_at as "paidAt", underpaid_at as "underpaidAt",
      receipt_protocol as "receiptProtocol"
    from debt_payments($1, $2)`,
};

/** Programs of clients poll this, so one statement answers all requests that ask at the same time. */
export const readPayment = ({
  db,
  now,
}: {
  readonly db: Pick<Database, 'pool' | 'signScope'>;
  readonly now: () => Date;
}) => {
  const find = createBatchedLookup<Row>(db, PAYMENTS, (keys) => {
    const pairs = keys.map((key) => key.split(':') as [clientId: string, debtId: string]);
    return [pairs.map(([clientId]) => db.signScope('app.client_id', clientId)), pairs.map(([, debtId]) => debtId)];
  });
  return async ({ clientId, debtId }: { readonly clientId: string; readonly debtId: string }): Promise<PaymentView> => {
    const row = await find(`${clientId}:${debtId.toLowerCase()}`);
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
      brCode: live && isPayable(row.debtStatus, []) ? row.brCode : null,
      expiresAt: expiresAt?.toISOString() ?? null,
      paidAt: row.paidAt?.toISOString() ?? null,
      receiptProtocol: row.receiptProtocol,
    };
  };
};
