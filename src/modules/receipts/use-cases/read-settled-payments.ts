import { areaCodeOf, displayOffset } from '../../../kernel/phone.ts';
import { maskedDebtor } from '../../../kernel/tax-id.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addressLine } from '../../messaging/use-cases/debt-facts.ts';
import type { LeasedReceipt } from '../queries/receipt-leases.ts';
import {
  type PaymentSelection,
  pageOfSettledPayments,
  type SettledPaymentRow,
  settledPaymentOfDebt,
  settledPaymentOfReceipt,
} from '../queries/settled-payments.ts';
import type { EarlierPayment, ReceiptFacts } from '../tables/receipt.ts';

/** A payment that settled its debt, with the facts and the state of its receipt. */
export interface SettledPayment {
  readonly paymentId: string;
  readonly clientId: string;
  readonly debtId: string;
  readonly clockOffsetMs: number;
  readonly facts: ReceiptFacts;
  /** What payments have to cover for the receipt to be true. */
  readonly coveredCentavos: number;
  /** Null while no process has leased the receipt for drawing. */
  readonly receipt: ReceiptState | null;
  readonly readAt: Date;
}

/** The version of the template is null until the receipt is drawn. */
export type ReceiptState = Omit<LeasedReceipt, 'paymentId'>;

/** Returns settled payments of a client in the order of their approval. */
export const readSettledPayments = async (
  tx: Tx,
  selection: PaymentSelection,
  page: { readonly take: number; readonly skip: number },
): Promise<SettledPayment[]> => (await pageOfSettledPayments(tx, selection, page)).map(toPayment);

/** Returns the payment that settled the debt, or null when the debt is not settled. */
export async function readSettledPaymentOfDebt(tx: Tx, debtId: string): Promise<SettledPayment | null> {
  const row = await settledPaymentOfDebt(tx, debtId);
  return row === undefined ? null : toPayment(row);
}

export async function readSettledPaymentOfReceipt(tx: Tx, protocol: string): Promise<SettledPayment | null> {
  const row = await settledPaymentOfReceipt(tx, protocol);
  return row === undefined ? null : toPayment(row);
}

function toPayment(row: SettledPaymentRow): SettledPayment {
  const issued = row.templateVersion === null ? null : row.storedFacts;
  return {
    paymentId: row.paymentId,
    clientId: row.clientId,
    debtId: row.debtId,
    clockOffsetMs: row.clockOffsetMs,
    // Payment, debtor and debt stay as they were when the receipt was issued. The creditor's data is the present one.
    facts: { ...(issued ?? factsOf(row)), creditor: creditorOf(row) },
    coveredCentavos: row.coveredCentavos ?? row.originalAmountCentavos,
    receipt: receiptOf(row),
    readAt: row.readAt,
  };
}

function receiptOf(row: SettledPaymentRow): ReceiptState | null {
  const { receiptId, protocol, issuedAt, templateVersion, revokedAt, revokedReason, restoredAt, outdated } = row;
  // The join gives a receipt either all of these or none.
  if (receiptId === null || protocol === null || issuedAt === null) return null;
  return { id: receiptId, protocol, issuedAt, templateVersion, revokedAt, revokedReason, restoredAt, outdated };
}

const creditorOf = (row: SettledPaymentRow): ReceiptFacts['creditor'] => ({
  name: row.creditorName,
  cnpj: row.creditorCnpj,
  address: row.creditorAddress === null ? null : addressLine(row.creditorAddress),
});

const factsOf = (row: SettledPaymentRow): ReceiptFacts => ({
  sandbox: row.sandbox,
  creditor: creditorOf(row),
  debtor: maskedDebtor(row.debtorName, row.debtorTaxId),
  debt: {
    invoiceId: row.invoiceId,
    description: row.description,
    originalAmountCentavos: row.originalAmountCentavos,
    dueDate: row.dueDate,
  },
  payment: {
    amountCentavos: row.settledCentavos ?? sumOfPayments(row),
    paidAt: row.paidAt.toISOString(),
    provider: row.provider,
    endToEndId: row.endToEndId,
    providerPaymentId: row.providerPaymentId ?? row.paymentId,
    method: row.method ?? 'pix',
    ...(row.earlier.length === 0 ? {} : { earlier: row.earlier.map(earlierPayment) }),
  },
  utcOffset: displayOffset(areaCodeOf(row.debtorPhone)),
});

/** A process of the version before has stored no sum for a payment that it settled during an upgrade. */
const sumOfPayments = ({ paidCentavos, earlier }: SettledPaymentRow): number =>
  earlier.reduce((sum, { centavos }) => sum + centavos, paidCentavos);

const earlierPayment = ({ centavos, paidAt, method }: SettledPaymentRow['earlier'][number]): EarlierPayment => ({
  amountCentavos: centavos,
  paidAt: new Date(paidAt).toISOString(),
  method: method ?? 'pix',
});
