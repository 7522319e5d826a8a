import { daysBetween, type LocalDate } from '../../../kernel/calendar.ts';
import { chargedDays, countsFrom, type DebtorCalendar } from './counted-days.ts';
import { type Component, type Components, type Credit, divideCredit, inOrderOfDays } from './credits.ts';
import {
  type IndexSeries,
  ipcaFactor,
  LEGAL_RATE_DIVISOR,
  type LegalRate,
  legalRate,
  type Month,
  missingIpca,
  missingName,
  monthOf,
} from './index-series.ts';
import { type LatePaymentTerms, pointsOf } from './late-payment-terms.ts';

/** One debt, as it is before anything is paid. */
export interface IndebtedFor {
  /** Null when the client has stated none: then nothing is charged. */
  readonly terms: LatePaymentTerms | null;
  readonly principalCentavos: number;
  readonly dueDate: LocalDate;
  readonly calendar: DebtorCalendar;
  readonly indices: IndexSeries;
}

export interface OwedQuestion extends IndebtedFor {
  /** All that was paid, in any order. Credits of days after `on` do not count. */
  readonly credits: readonly Credit[];
  readonly on: LocalDate;
}

export type Centavos = Readonly<Record<Component, number>>;

/** Days during which the principal did not change, for the formula beside an amount. */
export interface Period {
  readonly from: LocalDate;
  readonly until: LocalDate;
  readonly days: number;
  readonly principal: number;
  /** The principal and its correction, on which the Taxa Legal is counted. */
  readonly corrected: number;
}

export interface CreditedPart {
  readonly on: LocalDate;
  readonly credited: Centavos;
  readonly waived: Centavos;
  readonly excess: number;
}

/** What is open on a day, in centavos. */
export interface Owed extends Centavos {
  readonly total: number;
  readonly countsFrom: LocalDate;
  /** The days since `countsFrom`, also within the days of grace. */
  readonly days: number;
  readonly paid: number;
  /** What was paid beyond all that was owed. */
  readonly excess: number;
  /** How each credit was divided, in the order in which they count. */
  readonly parts: readonly CreditedPart[];
  /** The periods in which something was charged. */
  readonly periods: readonly Period[];
  /** The months whose values are missing, such as `29543:2026-09`. */
  readonly missing: readonly string[];
}

/** What the credits have left so far. A period ends when a credit changes the principal or its correction. */
interface Running {
  readonly principal: bigint;
  /** The principal that was open when the charges began: the fine is a share of it. */
  readonly latePrincipal: bigint;
  /**
   * The correction of earlier periods that is still open. It is below 0 where their indices have fallen, so that a payment
   * does not make a later rise count alone.
   */
  readonly correctionLeft: bigint;
  readonly since: LocalDate;
  readonly indexedSince: Month;
  /** Sums over the periods that have ended, which are not divided yet. */
  readonly centavoDays: bigint;
  readonly legalSum: bigint;
  /** Credited or waived so far. */
  readonly interestClosed: bigint;
  readonly fineClosed: bigint;
  readonly periods: readonly Period[];
}

const positive = (amount: bigint): bigint => (amount > 0n ? amount : 0n);

const centavos = ({ interest, fine, correction, principal }: Components): Centavos => ({
  interest: Number(interest),
  fine: Number(fine),
  correction: Number(correction),
  principal: Number(principal),
});

const sumOf = ({ interest, fine, correction, principal }: Centavos): number => interest + fine + correction + principal;

/** Computes what is open of one debt. Each component is multiplied first, divided once and rounded down. */
class Account {
  readonly terms: LatePaymentTerms | null;
  readonly dueMonth: Month;
  readonly from: LocalDate;
  readonly indices: IndexSeries;
  /** One answer asks several times for the rate of the same days, which goes over all of their months. */
  private readonly rates = new Map<string, LegalRate>();

  constructor({ terms, dueDate, calendar, indices }: IndebtedFor) {
    this.terms = terms;
    this.dueMonth = monthOf(dueDate);
    this.from = countsFrom(terms, dueDate, calendar);
    this.indices = indices;
  }

  isCharged(day: LocalDate): boolean {
    return this.terms !== null && chargedDays(this.terms, this.from, day) > 0;
  }

  private legalRate(from: LocalDate, until: LocalDate): LegalRate {
    const days = `${from} ${until}`;
    const rate = this.rates.get(days) ?? legalRate(this.indices, from, until);
    this.rates.set(days, rate);
    return rate;
  }

  open(now: Running, day: LocalDate): Components {
    const { principal } = now;
    if (this.terms === null || !this.isCharged(day)) return { principal, interest: 0n, fine: 0n, correction: 0n };
    const correction = positive(this.signedCorrection(now, day));
    const fine = (now.latePrincipal * pointsOf(this.terms.finePercent)) / 10_000n;
    return {
      principal,
      correction,
      // A value that was missing when interest was paid can make less of it than was paid.
      interest: positive(this.interest(this.terms, now, day, correction) - now.interestClosed),
      fine: positive(fine - now.fineClosed),
    };
  }

  /** What the indices have added to the open principal, or taken from it. What is owed is never below the principal. */
  private signedCorrection({ principal, correctionLeft, indexedSince }: Running, day: LocalDate): bigint {
    if (this.terms?.correction !== 'ipca' || missingIpca(this.indices, this.dueMonth, monthOf(day)).hasGap) return 0n;
    const { numerator, divisor } = ipcaFactor(this.indices, indexedSince, monthOf(day));
    return ((principal + correctionLeft) * numerator) / divisor - principal;
  }

  private interest({ interest }: LatePaymentTerms, now: Running, day: LocalDate, correction: bigint): bigint {
    const { centavoDays, legalSum } = this.sumsUntil(now, day, correction);
    switch (interest.kind) {
      case 'none':
        return 0n;
      case 'monthly':
        return (centavoDays * pointsOf(interest.percent ?? 0)) / (10_000n * 30n);
      case 'legal':
        return this.legalRate(this.from, day).missing.length > 0 ? 0n : legalSum / LEGAL_RATE_DIVISOR;
    }
  }

  private sumsUntil({ principal, since, ...now }: Running, day: LocalDate, correction: bigint) {
    const rate = this.terms?.interest.kind === 'legal' ? this.legalRate(since, day).sum : 0n;
    return {
      centavoDays: now.centavoDays + principal * BigInt(daysBetween(since, day)),
      legalSum: now.legalSum + (principal + correction) * rate,
    };
  }

  /** Returns the periods with the one that ends on `day`. */
  periods({ periods, since, principal }: Running, day: LocalDate, correction: bigint): Period[] {
    const days = daysBetween(since, day);
    if (!this.isCharged(day) || days === 0 || principal === 0n) return [...periods];
    const corrected = Number(principal + correction);
    return [...periods, { from: since, until: day, days, principal: Number(principal), corrected }];
  }

  /** Applies what was credited or waived on a day. */
  close(now: Running, day: LocalDate, open: Components, closed: Components): Running {
    const principal = now.principal - closed.principal;
    // What is paid before anything is charged leaves no trace: the charges count on what is left, from the due date.
    if (!this.isCharged(day)) return { ...now, principal, latePrincipal: principal };
    const paid = {
      ...now,
      interestClosed: now.interestClosed + closed.interest,
      fineClosed: now.fineClosed + closed.fine,
    };
    if (closed.principal === 0n && closed.correction === 0n) return paid;
    return {
      ...paid,
      ...this.sumsUntil(now, day, open.correction),
      principal,
      correctionLeft: this.signedCorrection(now, day) - closed.correction,
      since: day,
      indexedSince: monthOf(day),
      periods: this.periods(now, day, open.correction),
    };
  }

  missing(until: LocalDate): string[] {
    if (this.terms === null || !this.isCharged(until)) return [];
    const legal = this.terms.interest.kind === 'legal' ? this.legalRate(this.from, until).missing : [];
    const ipca =
      this.terms.correction === 'ipca' ? missingIpca(this.indices, this.dueMonth, monthOf(until)).missing : [];
    return [
      ...legal.map((month) => missingName('legalRate', month)),
      ...ipca.map((month) => missingName('ipca', month)),
    ];
  }
}

/**
 * Returns what is owed of a debt on a day. Credits are counted as of their days, whenever they became known, so that a
 * payment that is learned later, refunded or charged back changes all that came after it.
 */
export function owedOn(question: OwedQuestion): Owed {
  const { principalCentavos, credits, on } = question;
  const account = new Account(question);
  const principal = BigInt(principalCentavos);
  let now: Running = {
    principal,
    latePrincipal: principal,
    correctionLeft: 0n,
    since: account.from,
    indexedSince: account.dueMonth,
    centavoDays: 0n,
    legalSum: 0n,
    interestClosed: 0n,
    fineClosed: 0n,
    periods: [],
  };
  let settledOn: LocalDate | null = null;
  const parts: CreditedPart[] = [];
  for (const credit of inOrderOfDays(credits.filter((one) => one.on <= on))) {
    const open = account.open(now, credit.on);
    const { credited, waived, excess } = divideCredit(open, credit);
    parts.push({ on: credit.on, credited: centavos(credited), waived: centavos(waived), excess: Number(excess) });
    const closed = {
      interest: credited.interest + waived.interest,
      fine: credited.fine + waived.fine,
      correction: credited.correction + waived.correction,
      principal: credited.principal + waived.principal,
    };
    now = account.close(now, credit.on, open, closed);
    if (now.principal === 0n) settledOn ??= credit.on;
  }
  const open = account.open(now, on);
  const amounts = centavos(open);
  return {
    ...amounts,
    total: sumOf(amounts),
    countsFrom: account.from,
    days: Math.max(0, daysBetween(account.from, on)),
    paid: parts.reduce((sum, { credited, excess }) => sum + sumOf(credited) + excess, 0),
    excess: parts.reduce((sum, { excess }) => sum + excess, 0),
    parts,
    periods: account.periods(now, on, open.correction),
    // What is missing for days after the principal was paid changes nothing.
    missing: account.missing(settledOn ?? on),
  };
}
