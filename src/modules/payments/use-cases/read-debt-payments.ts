import { AppError } from '../../../kernel/errors.ts';
import { toReais } from '../../../kernel/money.ts';
import type { PaymentMethod } from '../../../kernel/payment-methods.ts';
import type { PaymentSource } from '../../../kernel/payment-providers.ts';
import type { PaymentStatus } from '../../../kernel/payment-status.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { type Author, byMember } from '../../accounts/rules/author.ts';
import { currentRowOf } from '../../debts/use-cases/debt-context.ts';
import { type PaymentRow, paymentsOfDebt } from '../queries/debt-payments.ts';
import { type Refund, refundsOfCharges } from '../queries/refunds.ts';
import type { RefundFailure, RefundKind, RefundState } from '../rules/refunds.ts';
import type { PaymentDeps } from './deps.ts';

/** What a payment was for its debt; null while nothing has come. */
export const PAYMENT_KINDS = ['settlement', 'part', 'duplicate', 'instalment'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

export interface RefundView {
  readonly id: string;
  /** In reais. */
  readonly amount: number;
  readonly reason: string | null;
  readonly state: RefundState;
  /** Why it failed; null for any other state. */
  readonly failure: RefundFailure | null;
  readonly kind: RefundKind;
  readonly createdAt: string;
  readonly contestUntil: string | null;
  /** The member who asked for it. */
  readonly by?: Author;
}

export interface DebtPaymentView {
  readonly debtId: string;
  readonly paymentId: string;
  readonly providerPaymentId: string | null;
  readonly provider: PaymentSource;
  readonly status: PaymentStatus;
  readonly kind: PaymentKind | null;
  readonly agreementId: string | null;
  readonly amount: number;
  readonly paid: number;
  readonly refunded: number;
  readonly chargedBack: boolean;
  readonly currency: 'BRL';
  readonly paidAt: string | null;
  readonly method: PaymentMethod;
  readonly endToEndId: string | null;
  readonly receiptProtocol: string | null;
  readonly refunds: RefundView[];
  /** The member who recorded a payment that the client received elsewhere. */
  readonly by?: Author;
}

export const refundView = (refund: Refund): RefundView => ({
  id: refund.id,
  amount: toReais(refund.amountCentavos),
  reason: refund.reason,
  state: refund.state,
  failure: refund.state === 'failed' ? refund.failure : null,
  kind: refund.kind,
  createdAt: refund.createdAt.toISOString(),
  contestUntil: refund.contestUntil?.toISOString() ?? null,
  ...byMember(refund.memberId, refund.memberName),
});

function kindOf({ paidCentavos, agreementId, duplicate, underpaidAt }: PaymentRow): PaymentKind | null {
  if (paidCentavos === 0) return null;
  if (agreementId !== null) return 'instalment';
  if (duplicate) return 'duplicate';
  return underpaidAt === null ? 'settlement' : 'part';
}

const viewOf = (debtId: string, row: PaymentRow, refunds: readonly Refund[]): DebtPaymentView => ({
  debtId,
  paymentId: row.id,
  providerPaymentId: row.providerPaymentId,
  provider: row.provider,
  // A part stays open in the store, because its debt does. The money has come all the same.
  status: row.paidCentavos > 0 ? 'APPROVED' : row.status,
  kind: kindOf(row),
  agreementId: row.agreementId,
  amount: toReais(row.amountCentavos),
  paid: toReais(row.paidCentavos),
  refunded: toReais(row.refundedCentavos),
  chargedBack: row.chargedBackAt !== null,
  currency: 'BRL',
  paidAt: row.paidAt?.toISOString() ?? null,
  method: row.method ?? 'pix',
  endToEndId: row.endToEndId,
  receiptProtocol: row.receiptProtocol,
  refunds: refunds.filter(({ chargeId }) => chargeId === row.id).map(refundView),
  ...(row.provider === 'outside' ? byMember(row.memberId, row.memberName) : {}),
});

export async function paymentViews(tx: Tx, debtId: string): Promise<DebtPaymentView[]> {
  const rows = await paymentsOfDebt(tx, debtId);
  const refunds = await refundsOfCharges(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => viewOf(debtId, row, refunds));
}

/** Lists every payment of a debt, with what goes back of it. */
export const readDebtPayments =
  ({ db }: Pick<PaymentDeps, 'db'>) =>
  async ({ clientId, debtId }: { readonly clientId: string; readonly debtId: string }) =>
    db.tenant(clientId).transactional(async (tx) => {
      if ((await currentRowOf(tx, debtId)) === undefined) throw new AppError('not_found');
      return { items: await paymentViews(tx, debtId) };
    });
