import type { LocalDate } from '../../../kernel/calendar.ts';
import type { PaymentMethod } from '../../../kernel/payment-methods.ts';
import type { PaymentStatus } from '../../../kernel/payment-status.ts';
import { type DebtPayments, type Payment, recoveredCentavos } from '../../debts/rules/debt-payments.ts';
import type { IndebtedFor } from '../../terms/rules/owed-on.ts';
import { type AskedParts, type Charges, type CreditedColumns, chargesOf, NO_CHARGES } from './credited-parts.ts';

/** What a payment may change of its charge. */
export interface ChargeColumns {
  readonly status: PaymentStatus;
  readonly approvedAt: Date | null;
  readonly underpaidAt: Date | null;
  readonly duplicate: boolean;
  readonly paidCentavos: number;
  readonly paidAt: Date | null;
  readonly endToEndId: string | null;
  /** This payment and the earlier ones that settle the debt with it; null unless it settles the debt. */
  readonly settledCentavos: number | null;
  readonly coveredCentavos: number | null;
  readonly refundedCentavos: number;
  readonly chargedBackAt: Date | null;
  readonly providerUpdatedAt: Date | null;
  readonly problem: string | null;
  readonly askAt: null;
  readonly creditedOn: LocalDate | null;
  readonly waivesRest: boolean;
  readonly principalCentavos: number;
  readonly fineCentavos: number;
  readonly interestCentavos: number;
  readonly correctionCentavos: number;
  /** When the client took back what it had recorded by mistake. */
  readonly undoneAt: Date | null;
}

/** A charge as it is stored. */
export interface KnownCharge
  extends Pick<
      ChargeColumns,
      | 'status'
      | 'underpaidAt'
      | 'duplicate'
      | 'paidCentavos'
      | 'refundedCentavos'
      | 'chargedBackAt'
      | 'providerUpdatedAt'
      | 'problem'
      | 'coveredCentavos'
      | 'creditedOn'
      | 'waivesRest'
      | 'principalCentavos'
      | 'fineCentavos'
      | 'interestCentavos'
      | 'correctionCentavos'
    >,
    AskedParts {
  readonly id: string;
  readonly amountCentavos: number;
  /** The debtor's day of which the code asks the total; null for a payment from outside. */
  readonly askedOn: LocalDate | null;
  readonly supersededAt: Date | null;
  readonly method: PaymentMethod | null;
  /** The payment by an agreement of which this is what the debt got. */
  readonly partOf?: string | null;
}

/** A debt with the charges of all of its rows. */
export interface KnownDebt {
  readonly indebted: IndebtedFor;
  readonly isPaid: boolean;
  /** The latest first. */
  readonly charges: readonly KnownCharge[];
}

/** Returns whether this payment has settled its debt. The debt's receipt belongs to it. */
export const hasSettled = ({ status, duplicate, underpaidAt }: KnownCharge): boolean =>
  status === 'APPROVED' && !duplicate && underpaidAt === null;

/** Returns whether what this payment brings came with the payment by an agreement that settled the debt. */
export const cameWithSettling = ({ partOf = null }: KnownCharge, charges: readonly KnownCharge[]): boolean =>
  partOf !== null && charges.some((one) => hasSettled(one) && one.partOf === partOf);

export const paymentOf = (charge: KnownCharge): Payment => ({
  id: charge.id,
  paidCentavos: charge.paidCentavos,
  refundedCentavos: charge.refundedCentavos,
  chargedBack: charge.chargedBackAt !== null,
  reportedAt: charge.providerUpdatedAt?.getTime() ?? null,
  on: charge.creditedOn,
  waivesRest: charge.waivesRest,
});

export const paymentsOf = ({ indebted, isPaid, charges }: KnownDebt): DebtPayments => ({
  indebted,
  settled: isPaid || charges.some(hasSettled),
  coveredCentavos:
    charges.find(hasSettled)?.coveredCentavos ??
    (isPaid || charges.some(hasSettled) ? indebted.principalCentavos : null),
  // Of those of one day the earlier charge counts first, and one that came when the debt was paid counts last.
  payments: [...charges.filter(({ duplicate }) => duplicate), ...charges.filter(({ duplicate }) => !duplicate)]
    .toReversed()
    .map(paymentOf),
});

/**
 * Returns the day as of which money of a day counts that gives up the rest: it counts last, so that it does not give up
 * what a payment of a later day has paid.
 */
export const dayOfWaiver = (charges: readonly Pick<KnownCharge, 'creditedOn'>[], day: LocalDate): LocalDate =>
  [day, ...charges.flatMap(({ creditedOn }) => creditedOn ?? [])].toSorted().at(-1)!;

export const chargesRecovered = (
  { settled }: Pick<DebtPayments, 'settled'>,
  credited: ReadonlyMap<string, CreditedColumns>,
): Charges => (settled ? chargesOf([...credited.values()]) : NO_CHARGES);

export const recoveredOf = (debt: DebtPayments): number =>
  debt.payments.reduce((sum, payment) => sum + recoveredCentavos(debt, payment), 0);
