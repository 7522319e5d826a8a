import { areaCodeOf, displayOffset } from '../../../kernel/phone.ts';
import type { ReceiptKind } from '../../../kernel/receipt-kinds.ts';
import { maskedDebtor } from '../../../kernel/tax-id.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { readAgreement } from '../../agreements/queries/agreements.ts';
import { receivedBy } from '../../debts/rules/debt-payments.ts';
import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import { indebtedFor } from '../../debts/use-cases/owed.ts';
import { chargesOfDebt } from '../../payments/queries/charges.ts';
import { paymentsOf } from '../../payments/rules/known-debt.ts';
import type { LeasedReceipt } from '../queries/receipt-leases.ts';
import {
  instalmentsWithoutReceipt,
  type PaidOne,
  type PaymentSelection,
  pageOfPayments,
  partsWithoutReceipt,
  paymentOfReceipt,
  paymentsUnlessRevoked,
  type SettledPaymentRow,
  settledPaymentOfDebt,
  settledPaymentsOfIdentities,
} from '../queries/settled-payments.ts';
import { type PaidOfAgreement, paidInstalments } from '../rules/paid-instalments.ts';
import type { EarlierPayment, ReceiptFacts } from '../tables/receipt.ts';
import { creditorOf } from './creditor.ts';
import type { ReceiptDeps } from './deps.ts';

/** A payment that settled its debt, a part that came before, or a payment of an agreement, with the facts and the state of its receipt. */
export interface SettledPayment {
  readonly paymentId: string;
  readonly kind: ReceiptKind;
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

/** Returns the payments of a client that have a receipt of any kind, in the order of their approval. */
export async function readPaymentsWithReceipt(
  tx: Tx,
  deps: FactDeps,
  selection: PaymentSelection,
  page: { readonly take: number; readonly skip: number },
): Promise<SettledPayment[]> {
  return toPayments(tx, deps, await pageOfPayments(tx, selection, page));
}

/** Returns the payment that settled the debt, or null when the debt is not settled. */
export async function readSettledPaymentOfDebt(tx: Tx, deps: FactDeps, debtId: string): Promise<SettledPayment | null> {
  const row = await settledPaymentOfDebt(tx, debtId);
  return row === undefined ? null : toPayment(tx, deps, row);
}

/** Returns the payments that settled debts, by the identity of each debt. A debt that is not settled has none. */
export async function readSettledPaymentsOf(
  tx: Tx,
  deps: FactDeps,
  identityIds: readonly string[],
): Promise<ReadonlyMap<string, SettledPayment>> {
  if (identityIds.length === 0) return new Map();
  const rows = await settledPaymentsOfIdentities(tx, identityIds);
  const payments = await toPayments(tx, deps, rows);
  return new Map(rows.map(({ paidIdentityId }, index) => [paidIdentityId, payments[index]!]));
}

/** Returns the parts of a debt that have no issued receipt, in the order in which they were confirmed. */
export async function readPartsWithoutReceipt(tx: Tx, deps: FactDeps, debtId: string): Promise<SettledPayment[]> {
  return toPayments(tx, deps, await partsWithoutReceipt(tx, debtId));
}

/** Returns the payments of an agreement that have no issued receipt, in the order in which they count. */
export async function readInstalmentsWithoutReceipt(
  tx: Tx,
  deps: FactDeps,
  agreementId: string,
): Promise<SettledPayment[]> {
  return toPayments(tx, deps, await instalmentsWithoutReceipt(tx, agreementId));
}

/** Returns the payment of a receipt of any kind. */
export async function readPaymentOfReceipt(tx: Tx, deps: FactDeps, protocol: string): Promise<SettledPayment | null> {
  const row = await paymentOfReceipt(tx, protocol);
  return row === undefined ? null : toPayment(tx, deps, row);
}

export type FactDeps = Pick<ReceiptDeps, 'policy'>;

interface PaymentFacts {
  /** Null while no process has leased the receipt for drawing. */
  readonly receiptId: string | null;
  readonly paymentId: string;
  readonly payment: ReceiptFacts['payment'];
}

/** Returns what the valid receipts of a debt or an agreement say of their payments if they are issued now. */
export async function readPaymentFacts(tx: Tx, deps: FactDeps, of: PaidOne): Promise<PaymentFacts[]> {
  const facts: PaymentFacts[] = [];
  for (const row of await paymentsUnlessRevoked(tx, of)) {
    const { payment } = await factsOf(tx, deps, row);
    facts.push({ receiptId: row.receiptId, paymentId: row.paymentId, payment });
  }
  return facts;
}

async function toPayments(tx: Tx, deps: FactDeps, rows: readonly SettledPaymentRow[]): Promise<SettledPayment[]> {
  const payments: SettledPayment[] = [];
  for (const row of rows) payments.push(await toPayment(tx, deps, row));
  return payments;
}

/** A document stays what it is, also when its payment has changed since. */
const kindOf = ({ agreementId, underpaidAt, templateVersion, storedKind }: SettledPaymentRow): ReceiptKind => {
  if (templateVersion !== null && storedKind !== null) return storedKind;
  if (agreementId !== null) return 'instalment';
  return underpaidAt === null ? 'settlement' : 'part';
};

async function toPayment(tx: Tx, deps: FactDeps, row: SettledPaymentRow): Promise<SettledPayment> {
  const issued = row.templateVersion === null ? null : row.storedFacts;
  return {
    paymentId: row.paymentId,
    kind: kindOf(row),
    clientId: row.clientId,
    debtId: row.debtId,
    clockOffsetMs: row.clockOffsetMs,
    // Payment, debtor and debt stay as they were when the receipt was issued. The creditor's data is the present one.
    facts: { ...(issued ?? (await factsOf(tx, deps, row))), creditor: creditorOf(row) },
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

const factsOf = async (tx: Tx, deps: FactDeps, row: SettledPaymentRow): Promise<ReceiptFacts> => ({
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
    amountCentavos: amountOf(row),
    paidAt: row.paidAt.toISOString(),
    provider: row.provider,
    endToEndId: row.endToEndId,
    providerPaymentId: row.providerPaymentId ?? row.paymentId,
    method: row.method ?? 'pix',
    ...(kindOf(row) !== 'settlement' || row.earlier.length === 0 ? {} : { earlier: row.earlier.map(earlierPayment) }),
    ...(row.agreementId === null
      ? await receivedFacts(tx, deps, row)
      : { instalments: await instalmentFacts(tx, row, row.agreementId) }),
    ...(kindOf(row) !== 'settlement' || row.agreementProtocol === null
      ? {}
      : { agreement: { protocol: row.agreementProtocol, discountCentavos: row.agreementDiscountCentavos } }),
  },
  utcOffset: displayOffset(areaCodeOf(row.debtorPhone)),
});

/** A process of the version before has stored no sum for a payment that it settled during an upgrade. */
function amountOf(row: SettledPaymentRow): number {
  const { paidCentavos, settledCentavos, earlier } = row;
  if (kindOf(row) !== 'settlement') return paidCentavos;
  return settledCentavos ?? earlier.reduce((sum, { centavos }) => sum + centavos, paidCentavos);
}

/** What comes after the end of an agreement pays no instalment any more. */
async function instalmentFacts(tx: Tx, row: SettledPaymentRow, agreementId: string): Promise<PaidOfAgreement> {
  const agreement = await readAgreement(tx, agreementId);
  if (agreement === undefined) throw new Error('A payment belongs to an agreement that does not exist.');
  const { protocol, totalCentavos, instalments, payments, status, endedAt } = agreement;
  const hadEnded = status !== 'COMPLETED' && endedAt !== null && endedAt < row.paidAt;
  const { paid, openCentavos } = paidInstalments(instalments, payments, row.paymentId);
  return { protocol, totalCentavos, count: instalments.length, paid: hadEnded ? [] : paid, openCentavos };
}

/** A settled debt for which nothing was charged and nothing given up needs no more than its principal. */
async function receivedFacts(
  tx: Tx,
  { policy }: FactDeps,
  row: SettledPaymentRow,
): Promise<Pick<ReceiptFacts['payment'], 'credited' | 'waivedCentavos' | 'open'>> {
  const debt = await loadDebt(tx, row.debtId);
  if (debt === null) return {};
  const charges = (await chargesOfDebt(tx, row.debtId)).filter(
    ({ id, duplicate }) => !duplicate && !row.moneyOfAgreements.includes(id),
  );
  const known = paymentsOf({ indebted: indebtedFor(debt, policy.holidays), isPaid: true, charges });
  const isPart = kindOf(row) === 'part';
  const received = receivedBy(known, row.paymentId, isPart ? 'part' : 'all');
  if (received === null) return {};
  const { credited, waivedCentavos, open, on } = received;
  const { principal, fine, interest, correction } = open;
  if (isPart) return { credited, open: { principal, fine, interest, correction, on } };
  const isPlain = credited.fine + credited.interest + credited.correction + waivedCentavos === 0;
  return isPlain ? {} : { credited, ...(waivedCentavos === 0 ? {} : { waivedCentavos }) };
}

const earlierPayment = ({
  centavos,
  paidAt,
  method,
  byAgreement,
}: SettledPaymentRow['earlier'][number]): EarlierPayment => ({
  amountCentavos: centavos,
  paidAt: new Date(paidAt).toISOString(),
  method: method ?? 'pix',
  ...(byAgreement ? { byAgreement } : {}),
});
