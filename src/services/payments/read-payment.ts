import type { Database } from '../../db/database.ts';
import { AppError } from '../../domain/errors.ts';
import { toReais } from '../../domain/money.ts';
import type { PaymentStatus } from '../../domain/payment-status.ts';
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

/** The charge that settled the debt, or else the latest one. */
export const paymentQuery = (client: string, debt: string): string => `
    select d.status as "debtStatus", d.wrong_person_at is not null as "wrongPerson",
      d.original_amount_centavos as "debtAmountCentavos", c.id as "paymentId",
      c.provider_payment_id as "providerPaymentId", c.status as "chargeStatus", c.amount_centavos as "amountCentavos",
      c.br_code as "brCode", c.expires_at as "expiresAt", c.paid_at as "paidAt", c.underpaid_at as "underpaidAt",
      (select r.protocol from receipts r where r.charge_id = c.id
        and (r.pdf is not null or r.shortened_at is not null)) as "receiptProtocol"
    from debts d left join lateral (
      select * from charges where debt_id = d.id and provider_payment_id is not null
      order by (status = 'APPROVED' and not duplicate) desc, attempt desc limit 1
    ) c on true
    where d.client_id = ${client} and d.id = ${debt}`;

/** One message to the server, under row security: `offset 0` keeps the reading behind the signed scope that it needs. */
const READ = {
  name: 'read_payment',
  text: `
    select found.* from set_config('app.client_id', $3, true) as scope (client)
    cross join lateral (${paymentQuery('$1', '$2')} and scope.client <> '' offset 0) as found`,
};

export const readPayment =
  ({ db, now }: { readonly db: Pick<Database, 'pool' | 'signScope'>; readonly now: () => Date }) =>
  async ({ clientId, debtId }: { readonly clientId: string; readonly debtId: string }): Promise<PaymentView> => {
    const { rows } = await db.pool.query<Row>({
      ...READ,
      values: [clientId, debtId, db.signScope('app.client_id', clientId)],
    });
    const [row] = rows;
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
