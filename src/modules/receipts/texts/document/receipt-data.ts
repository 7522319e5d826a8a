import type { LocalDate } from '../../../../kernel/calendar.ts';
import { MAX_CENTAVOS } from '../../../../kernel/money.ts';
import type { PaymentMethod } from '../../../../kernel/payment-methods.ts';
import type { ReceiptKind } from '../../../../kernel/receipt-kinds.ts';
import type { RevokedReason } from '../../../../kernel/revoked-reasons.ts';
import { type MaskedDebtor, taxIdOf } from '../../../../kernel/tax-id.ts';
import type { Centavos } from '../../../terms/rules/owed-on.ts';
import type { PaidOfAgreement } from '../../rules/paid-instalments.ts';
import { type HasGlyph, printable, printableName, printableOrNull } from './printable.ts';

export interface EarlierPayment {
  readonly amountCentavos: number;
  readonly paidAt: Date;
  readonly method: PaymentMethod;
  /** Set for what the debt got of an agreement's payment. */
  readonly byAgreement?: boolean | undefined;
}

export const sumOf = ({ principal, fine, interest, correction }: Centavos): number =>
  principal + fine + interest + correction;

/**
 * A receipt that is drawn again is drawn by this version. A stored document of an older one stays as it is until then.
 */
export const CURRENT_TEMPLATE_VERSION = 2;

/** What every document says of itself and of the two parties. */
export interface DocumentHead {
  readonly templateVersion: number;
  /** `QT-2026-7K3M9X2PAB5`, or `AC-…` for an agreement. */
  readonly protocol: string;
  readonly issuedAt: Date;
  readonly sandbox: boolean;
  readonly creditor: {
    readonly name: string;
    /** 14 characters, without punctuation. */
    readonly cnpj: string | null;
    readonly address: string | null;
  };
  /** With `***.982.247-**`, or for a company `**.222.333/0001-**`. */
  readonly debtor: MaskedDebtor;
  /** An absolute, signed URL, which the QR code contains. */
  readonly verifyUrl: string;
  /** The debtor's offset in hours ahead of UTC. */
  readonly utcOffset: number;
}

/** Everything that a receipt shows, as plain data that can be passed to another thread. */
export interface ReceiptData extends DocumentHead {
  /** The Termo unless it says otherwise; the others are no quittance of the rest. */
  readonly kind?: ReceiptKind;
  /** Set when the payment was returned in full: the receipt is kept and says that it is no longer valid. */
  readonly revokedAt?: Date | null;
  readonly revokedReason?: RevokedReason | null;
  /** Set when the revoked receipt became valid again: it says both. */
  readonly restoredAt?: Date | null;
  readonly debt: {
    readonly id: string;
    readonly invoiceId: string | null;
    /** What it is for, in the creditor's words; null is shown as an invoice or other credit of the creditor. */
    readonly description: string | null;
    readonly originalAmountCentavos: number;
    /** `2026-11-20` */
    readonly dueDate: string;
  };
  readonly payment: {
    readonly amountCentavos: number;
    readonly paidAt: Date;
    readonly method: PaymentMethod;
    /** The provider's key (`mercadopago`, `sandbox`), or `outside` for money that the creditor received directly. */
    readonly provider: string;
    readonly endToEndId: string | null;
    readonly providerPaymentId: string;
    /** Most providers do not report who paid. */
    readonly payerName?: string | null;
    /** The payments before it that were too small, oldest first; `amountCentavos` includes them. */
    readonly earlier?: readonly EarlierPayment[];
    /** How the amount was credited; absent where nothing beside the principal was charged or given up. */
    readonly credited?: Centavos | undefined;
    /** What the creditor gave up when the debt was settled. */
    readonly waivedCentavos?: number | undefined;
    /** What a part left open, on the day as of which it counts. */
    readonly open?: (Centavos & { readonly on: LocalDate }) | undefined;
    /** The agreement by which the debt was settled, and the discount that it gave on this debt. */
    readonly agreement?: { readonly protocol: string; readonly discountCentavos: number } | undefined;
    /** What a payment of an agreement paid. */
    readonly instalments?: PaidOfAgreement | undefined;
  };
}

/** Names the wrong member but never its value, because a receipt is personal data. */
export class ReceiptDataError extends Error {
  readonly member: string;

  constructor(member: string, problem: string) {
    super(`receipt data: ${member} ${problem}`);
    this.name = 'ReceiptDataError';
    this.member = member;
  }
}

export function requireMoment(member: string, value: Date): void {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) throw new ReceiptDataError(member, 'is not a date');
}

export function requireText(member: string, value: string): void {
  if (typeof value !== 'string' || value.trim() === '') throw new ReceiptDataError(member, 'is empty');
}

export function requireAmount(member: string, value: number): void {
  if (!Number.isSafeInteger(value) || value <= 0 || value > MAX_CENTAVOS) {
    throw new ReceiptDataError(member, 'is not between R$ 0,01 and R$ 99.999.999,99');
  }
}

const WHOLE = {
  CPF: /\d{3}\.?\d{3}\.?\d{3}-?\d{2}/,
  CNPJ: /[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?\d{2}/,
} as const;

/** A part names what it left open. Only a creditor who gave up the rest may have received less than the principal. */
function assertKind({ kind = 'settlement', debt, payment }: ReceiptData): void {
  const { amountCentavos, waivedCentavos = 0, credited, open } = payment;
  if (kind === 'part') {
    if (credited === undefined || open === undefined || sumOf(open) <= 0) {
      throw new ReceiptDataError('payment.open', 'does not say what a part left open');
    }
  } else if (kind === 'instalment') {
    if (payment.instalments === undefined) throw new ReceiptDataError('payment.instalments', 'are not named');
    requireText('payment.instalments.protocol', payment.instalments.protocol);
  } else if (amountCentavos + waivedCentavos < debt.originalAmountCentavos) {
    throw new ReceiptDataError('payment.amountCentavos', 'does not settle the debt');
  }
}

export function requireDay(member: string, value: string): void {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) throw new ReceiptDataError(member, 'is not YYYY-MM-DD');
}

export function assertHead({ protocol, issuedAt, creditor, debtor, verifyUrl }: DocumentHead): void {
  requireText('protocol', protocol);
  requireMoment('issuedAt', issuedAt);
  requireText('creditor.name', creditor.name);
  requireText('debtor.name', debtor.name);
  const { kind, masked } = taxIdOf(debtor);
  if (WHOLE[kind].test(masked)) throw new ReceiptDataError(`debtor.${kind.toLowerCase()}Masked`, 'is not masked');
  if (!URL.canParse(verifyUrl)) throw new ReceiptDataError('verifyUrl', 'is not an absolute address');
}

/** Refuses incomplete data, because a receipt that discharges a debt must not lack a part. */
export function assertReceiptData(data: ReceiptData): void {
  assertHead(data);
  if (data.revokedAt) requireMoment('revokedAt', data.revokedAt);
  if (data.restoredAt) requireMoment('restoredAt', data.restoredAt);
  requireText('debt.id', data.debt.id);
  requireDay('debt.dueDate', data.debt.dueDate);
  requireAmount('debt.originalAmountCentavos', data.debt.originalAmountCentavos);
  requireAmount('payment.amountCentavos', data.payment.amountCentavos);
  assertKind(data);
  requireMoment('payment.paidAt', data.payment.paidAt);
  for (const { paidAt } of data.payment.earlier ?? []) requireMoment('payment.earlier', paidAt);
}

export const printableParties = (
  { creditor, debtor }: Pick<DocumentHead, 'creditor' | 'debtor'>,
  hasGlyph: HasGlyph,
) => ({
  creditor: {
    name: printableName(creditor.name, hasGlyph),
    cnpj: printableOrNull(creditor.cnpj, hasGlyph),
    address: printableOrNull(creditor.address, hasGlyph),
  },
  debtor: { ...debtor, name: printableName(debtor.name, hasGlyph) },
});

export function printableReceipt(data: ReceiptData, hasGlyph: HasGlyph): ReceiptData {
  const { debt, payment } = data;
  const text = (value: string | null | undefined) => printableOrNull(value, hasGlyph);
  return {
    ...data,
    ...printableParties(data, hasGlyph),
    debt: { ...debt, invoiceId: text(debt.invoiceId), description: text(debt.description) },
    payment: {
      ...payment,
      provider: printable(payment.provider, hasGlyph),
      endToEndId: text(payment.endToEndId),
      providerPaymentId: printable(payment.providerPaymentId, hasGlyph),
      payerName: text(payment.payerName),
    },
  };
}
