import type { ReceivedDoubt, ReceivedState } from '../../../kernel/received-states.ts';
import { AmountsOfPlan } from './amounts-of-plan.ts';
import { isSameInvoice } from './invoice-words.ts';
import { type DebtsOfFile, matchRow, type Payment, rankOf } from './match-row.ts';
import type { MatchableDebt } from './matchable-debt.ts';
import { compareKeys, isAnonymous } from './payment-key.ts';

export interface KeyedPayment extends Payment {
  /** The place among all rows of the file. */
  readonly place: number;
  /** What identifies the payment: see `payment-key.ts`. */
  readonly key: string;
}

/** A payment that is recorded about a debt, by whomever. */
export interface RecordedPayment {
  readonly amountCentavos: number;
  readonly paidOn: string;
  /** The key of the received payment that it was made of, or that of its end-to-end id; null when it has neither. */
  readonly key: string | null;
  /** The invoice that it names, where it is booked on another debt of the agreement; null for every other payment. */
  readonly otherInvoice: string | null;
}

/**
 * Whether a row may tell of a payment that is recorded about its debt: amount and day are the same, and the two do not name
 * different bills of an agreement.
 */
export const mayBeSame = (recorded: RecordedPayment, { amountCentavos, paidOn, invoiceId }: Payment): boolean =>
  recorded.amountCentavos === amountCentavos &&
  recorded.paidOn === paidOn &&
  (recorded.otherInvoice === null || invoiceId === null || isSameInvoice(recorded.otherInvoice, invoiceId));

/** A payment that a file or a bank told of before. */
export interface StoredPayment {
  readonly id: string;
  readonly state: ReceivedState;
  readonly doubt: ReceivedDoubt | null;
  readonly debtId: string | null;
}

/** A code of this service which the row names. */
export interface NamedCharge {
  readonly id: string;
  readonly debtId: string;
  readonly isPaid: boolean;
}

export interface KnownFacts extends DebtsOfFile {
  readonly stored: ReadonlyMap<string, StoredPayment>;
  /** By the id of a debt. */
  readonly recorded: ReadonlyMap<string, readonly RecordedPayment[]>;
  /** By the txid in lower case, or the end-to-end id in capitals. */
  readonly charges: ReadonlyMap<string, NamedCharge>;
}

export type KnownCode = 'repeated' | 'recorded' | 'own_charge';

export type PlannedRow = { readonly payment: KeyedPayment } & (
  | { readonly state: 'matched'; readonly debt: MatchableDebt }
  | {
      readonly state: 'known';
      readonly code: KnownCode;
      readonly debtId: string | null;
      readonly settlementId: string | null;
      readonly chargeId?: string;
    }
  | { readonly state: 'ambiguous' | 'unmatched'; readonly code: ReceivedDoubt }
);

/** What the rows before have changed. */
class Plan {
  readonly #facts: KnownFacts;
  readonly #seen = new Map<string, number>();
  readonly #amounts = new AmountsOfPlan();
  readonly #recorded = new Map<string, RecordedPayment[]>();

  constructor(facts: KnownFacts) {
    this.#facts = facts;
  }

  #sameDay(debtId: string, payment: Payment): RecordedPayment[] {
    const all = [...(this.#facts.recorded.get(debtId) ?? []), ...(this.#recorded.get(debtId) ?? [])];
    return all.filter((one) => mayBeSame(one, payment));
  }

  next(payment: KeyedPayment): PlannedRow {
    const times = this.#seen.get(payment.key) ?? 0;
    this.#seen.set(payment.key, times + 1);
    return times === 0 ? this.#first(payment) : this.#again(payment, times);
  }

  #known(payment: KeyedPayment, code: KnownCode, stored?: StoredPayment): PlannedRow {
    const settlementId = stored?.state === 'settled' ? stored.id : null;
    return { payment, state: 'known', code, debtId: stored?.debtId ?? null, settlementId };
  }

  /** A second identical row of a person who owes the same amount twice may be a second payment. */
  #again(payment: KeyedPayment, times: number): PlannedRow {
    const debts = this.#facts.byTaxId.get(payment.taxId ?? '') ?? [];
    const mayBeAnother = isAnonymous(payment) && debts.some((debt) => this.#amounts.fit(debt, payment));
    if (!mayBeAnother) return this.#known(payment, 'repeated', this.#facts.stored.get(payment.key));
    const key = `${payment.key}#${times + 1}`;
    const stored = this.#facts.stored.get(key);
    if (stored !== undefined && isDecided(stored)) return this.#known(payment, 'repeated', stored);
    return { payment: { ...payment, key }, state: 'ambiguous', code: 'same_day' };
  }

  #first(payment: KeyedPayment): PlannedRow {
    const stored = this.#facts.stored.get(payment.key);
    if (stored !== undefined && isDecided(stored)) return this.#known(payment, 'repeated', stored);
    if (stored?.state === 'ambiguous') {
      return { payment, state: 'ambiguous', code: stored.doubt ?? 'several_debts' };
    }
    const charge = this.#chargeOf(payment);
    if (charge !== undefined) {
      const code = charge.isPaid ? 'recorded' : 'own_charge';
      return { payment, state: 'known', code, debtId: charge.debtId, settlementId: null, chargeId: charge.id };
    }
    const isRecorded = ({ id }: MatchableDebt): boolean => this.#sameDay(id, payment).length > 0;
    const match = matchRow(this.#facts, payment, this.#amounts, isRecorded);
    if (match.kind === 'doubt') return { payment, state: match.state, code: match.doubt };
    const { debt } = match;
    const compared = this.#sameDay(debt.id, payment).map(({ key }) => compareKeys(payment.key, key));
    if (compared.includes('same')) {
      return { payment, state: 'known', code: 'recorded', debtId: debt.id, settlementId: null };
    }
    if (compared.includes('unknown')) return { payment, state: 'ambiguous', code: 'same_day' };
    this.#settle(debt, payment);
    return { payment, state: 'matched', debt };
  }

  #chargeOf({ endToEndId, txid }: Payment): NamedCharge | undefined {
    const { charges } = this.#facts;
    const byEndToEnd = endToEndId === null ? undefined : charges.get(endToEndId.toUpperCase());
    return byEndToEnd ?? (txid === null ? undefined : charges.get(txid.toLowerCase()));
  }

  #settle(debt: MatchableDebt, payment: KeyedPayment): void {
    this.#amounts.pay(debt, payment);
    const { amountCentavos, paidOn, key } = payment;
    const recorded = { amountCentavos, paidOn, key, otherInvoice: null };
    this.#recorded.set(debt.id, [...(this.#recorded.get(debt.id) ?? []), recorded]);
  }
}

const isDecided = ({ state }: StoredPayment): boolean => state !== 'unmatched' && state !== 'ambiguous';

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/**
 * The order in which payments are matched, which is not that of the file: the result must not depend on how somebody has
 * sorted a table.
 */
export const compareForMatching = (one: KeyedPayment, other: KeyedPayment): number =>
  rankOf(one) - rankOf(other) ||
  compareTexts(one.paidOn, other.paidOn) ||
  one.amountCentavos - other.amountCentavos ||
  compareTexts(one.key, other.key) ||
  one.place - other.place;

/** Decides about payments that are in the order of matching, one after the other, so that a caller can pause in between. */
export function* planRows(facts: KnownFacts, payments: Iterable<KeyedPayment>): Generator<PlannedRow> {
  const plan = new Plan(facts);
  for (const payment of payments) yield plan.next(payment);
}
