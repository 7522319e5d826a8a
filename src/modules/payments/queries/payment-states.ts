import { type Selectable, sql } from 'kysely';
import { prepared, type Tables } from '../../../platform/database/queries/builder.ts';

type Debt = Selectable<Tables['debts']>;
type Charge = Selectable<Tables['charges']>;

/** The columns of the routine `debt_payments`. */
interface PaymentOfDebt
  extends Pick<Charge, 'providerPaymentId' | 'brCode' | 'paidAt' | 'underpaidAt'>,
    Pick<CheckoutState, 'debtStatus' | 'wrongPerson' | 'chargeStatus'> {
  readonly clientId: Debt['clientId'];
  readonly debtId: Debt['id'];
  readonly debtAmountCentavos: Debt['originalAmountCentavos'];
  readonly paymentId: Charge['id'] | null;
  readonly amountCentavos: Charge['amountCentavos'] | null;
  readonly expiresAt: Charge['expiresAt'] | null;
  readonly receiptProtocol: string | null;
}

/** The columns of the routine `checkout_states`. */
interface CheckoutState {
  readonly key: Debt['id'];
  readonly debtStatus: Debt['status'];
  readonly wrongPerson: boolean;
  /** The status of the latest charge that the provider made. */
  readonly chargeStatus: Charge['status'] | null;
}

export const PAYMENTS_OF_DEBTS = prepared(
  'debt_payments',
  (queries, params: { readonly signedClients: readonly string[]; readonly debtIds: readonly string[] }) =>
    queries
      .selectFrom(sql<PaymentOfDebt>`debt_payments(${params.signedClients}, ${params.debtIds})`.as('payments'))
      .selectAll(),
);

export const CHECKOUT_STATES = prepared(
  'checkout_states',
  (queries, { debtIds }: { readonly debtIds: readonly string[] }) =>
    queries.selectFrom(sql<CheckoutState>`checkout_states(${debtIds})`.as('states')).selectAll(),
);
