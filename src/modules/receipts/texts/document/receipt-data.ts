import type { LocalDate } from '../../../../kernel/calendar.ts';
import { MAX_CENTAVOS } from '../../../../kernel/money.ts';
import type { PaymentMethod } from '../../../../kernel/payment-methods.ts';
import type { RevokedReason } from '../../../../kernel/revoked-reasons.ts';
import { type MaskedDebtor, taxIdOf } from '../../../../kernel/tax-id.ts';
import type { Centavos } from '../../../terms/rules/owed-on.ts';

export interface EarlierPayment {
  readonly amountCentavos: number;
  readonly paidAt: Date;
  readonly method: PaymentMethod;
}

export const sumOf = ({ principal, fine, interest, correction }: Centavos): number =>
  principal + fine + interest + correction;

/**
 * A receipt that is drawn again is drawn by this version. A stored document of an older one stays as it is until then.
 */
export const CURRENT_TEMPLATE_VERSION = 2;

/** Everything that a receipt shows, as plain data that can be passed to another thread. */
export interface ReceiptData {
  readonly templateVersion: number;
  /** The Termo unless it says otherwise; the receipt of a part is no quittance of the rest. */
  readonly kind?: 'settlement' | 'part';
  /** `QT-2026-7K3M9X2PAB-5` */
  readonly protocol: string;
  readonly issuedAt: Date;
  readonly sandbox: boolean;
  /** Set when the payment was returned in full: the receipt is kept and says that it is no longer valid. */
  readonly revokedAt?: Date | null;
  readonly revokedReason?: RevokedReason | null;
  /** Set when the revoked receipt became valid again: it says both. */
  readonly restoredAt?: Date | null;
  readonly creditor: {
    readonly name: string;
    /** 14 characters, without punctuation. */
    readonly cnpj: string | null;
    readonly address: string | null;
  };
  /** With `***.982.247-**`, or for a company `**.222.333/0001-**`. */
  readonly debtor: MaskedDebtor;
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
  };
  /** An absolute, signed URL, which the QR code contains. */
  readonly verifyUrl: string;
  /** The debtor's offset in hours ahead of UTC. */
  readonly utcOffset: number;
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

function requireMoment(member: string, value: Date): void {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) throw new ReceiptDataError(member, 'is not a date');
}

function requireText(member: string, value: string): void {
  if (typeof value !== 'string' || value.trim() === '') throw new ReceiptDataError(member, 'is empty');
}

function requireAmount(member: string, value: number): void {
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
  } else if (amountCentavos + waivedCentavos < debt.originalAmountCentavos) {
    throw new ReceiptDataError('payment.amountCentavos', 'does not settle the debt');
  }
}

/** Refuses incomplete data, because a receipt that discharges a debt must not lack a part. */
export function assertReceiptData(data: ReceiptData): void {
  requireText('protocol', data.protocol);
  requireMoment('issuedAt', data.issuedAt);
  if (data.revokedAt) requireMoment('revokedAt', data.revokedAt);
  if (data.restoredAt) requireMoment('restoredAt', data.restoredAt);
  requireText('creditor.name', data.creditor.name);
  requireText('debtor.name', data.debtor.name);
  const { kind, masked } = taxIdOf(data.debtor);
  if (WHOLE[kind].test(masked)) throw new ReceiptDataError(`debtor.${kind.toLowerCase()}Masked`, 'is not masked');
  requireText('debt.id', data.debt.id);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(data.debt.dueDate)) throw new ReceiptDataError('debt.dueDate', 'is not YYYY-MM-DD');
  requireAmount('debt.originalAmountCentavos', data.debt.originalAmountCentavos);
  requireAmount('payment.amountCentavos', data.payment.amountCentavos);
  assertKind(data);
  requireMoment('payment.paidAt', data.payment.paidAt);
  for (const { paidAt } of data.payment.earlier ?? []) requireMoment('payment.earlier', paidAt);
  if (!URL.canParse(data.verifyUrl)) throw new ReceiptDataError('verifyUrl', 'is not an absolute address');
}
