import type { LocalDate } from '../../../../kernel/calendar.ts';
import type { AcceptedBy } from '../../../agreements/rules/acceptance.ts';
import type { Instalment } from '../../../agreements/rules/instalments.ts';
import type { AfterBreach } from '../../../agreements/rules/offers-policy.ts';
import type { CopyData } from './copy-data.ts';
import type { EvidenceData } from './evidence-data.ts';
import { type HasGlyph, printableLines, printableOrNull } from './printable.ts';
import type { QuittanceData } from './quittance-data.ts';
import {
  assertHead,
  type DocumentHead,
  printableParties,
  type ReceiptData,
  ReceiptDataError,
  requireAmount,
  requireDay,
  requireMoment,
  requireText,
} from './receipt-data.ts';

/** A stored document is never drawn again, so that the version says how it came to look as it does. */
export const AGREEMENT_TEMPLATE_VERSION = 1;

/** A debt of the agreement, as the offer that was accepted counted it. */
export interface AgreedDebtData {
  readonly invoiceId: string | null;
  readonly description: string | null;
  readonly originalAmountCentavos: number;
  readonly dueDate: LocalDate;
  /** What was owed on the day of the offer. */
  readonly owedCentavos: number;
  readonly discountCentavos: number;
}

/** Everything that a Termo de Acordo shows. */
export interface AgreementData extends DocumentHead {
  readonly kind: 'agreement';
  readonly agreementId: string;
  /** The day of the offer, of which it counts what was owed. */
  readonly offeredOn: LocalDate;
  readonly totalCentavos: number;
  readonly discountCentavos: number;
  readonly debts: readonly AgreedDebtData[];
  readonly instalments: readonly Instalment[];
  readonly breachAfterDays: number;
  readonly afterBreach: AfterBreach;
  readonly accepted: {
    readonly at: Date;
    readonly by: AcceptedBy;
    /** Masked. */
    readonly phone: string;
    /** Word by word what the debtor was shown. */
    readonly text: string;
    /** Its SHA-256 in hexadecimal. */
    readonly textHash: string;
  };
}

/** Whatever the service draws. */
export type DocumentData = ReceiptData | AgreementData | CopyData | EvidenceData | QuittanceData;

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** Refuses data of which the parts do not make up the whole, because the document is what both parties are held to. */
export function assertAgreementData(data: AgreementData): void {
  assertHead(data);
  const { debts, instalments, totalCentavos, discountCentavos, accepted } = data;
  requireAmount('totalCentavos', totalCentavos);
  for (const { dueDate, originalAmountCentavos } of debts) {
    requireDay('debts.dueDate', dueDate);
    requireAmount('debts.originalAmountCentavos', originalAmountCentavos);
  }
  for (const { dueDate, amountCentavos } of instalments) {
    requireDay('instalments.dueDate', dueDate);
    requireAmount('instalments.amountCentavos', amountCentavos);
  }
  if (sumOf(instalments.map(({ amountCentavos }) => amountCentavos)) !== totalCentavos) {
    throw new ReceiptDataError('instalments', 'do not make up the total');
  }
  if (
    sumOf(debts.map(({ discountCentavos }) => discountCentavos)) !== discountCentavos ||
    sumOf(debts.map(({ owedCentavos }) => owedCentavos)) !== totalCentavos + discountCentavos
  ) {
    throw new ReceiptDataError('debts', 'do not make up total and discount');
  }
  requireMoment('accepted.at', accepted.at);
  requireText('accepted.text', accepted.text);
  if (!/^[0-9a-f]{64}$/.test(accepted.textHash)) throw new ReceiptDataError('accepted.textHash', 'is no SHA-256');
  if (/\d{6}/.test(accepted.phone)) throw new ReceiptDataError('accepted.phone', 'is not masked');
}

export function printableAgreement(data: AgreementData, hasGlyph: HasGlyph): AgreementData {
  return {
    ...data,
    ...printableParties(data, hasGlyph),
    debts: data.debts.map((debt) => ({
      ...debt,
      invoiceId: printableOrNull(debt.invoiceId, hasGlyph),
      description: printableOrNull(debt.description, hasGlyph),
    })),
    // The hash is that of the text as it was shown.
    accepted: { ...data.accepted, text: printableLines(data.accepted.text, hasGlyph) },
  };
}
