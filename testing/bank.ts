import fc from 'fast-check';
import type { ReportedState } from '../src/modules/debts/rules/debt-payments.ts';

/** The amount of the debt that the payments are for. */
export const DEBT = 10_000;
export const IDS = ['a', 'b', 'c', 'd'] as const;
export type Id = (typeof IDS)[number];

/** A bank that books every movement of money, so that its balance does not depend on the code that is tested. */
export interface BankPayment {
  readonly amount: number;
  readonly movements: number[];
  refunded: number;
  /** What the chargeback took; null while there is none. */
  taken: number | null;
  /** Each state that a question to the bank could have answered, the oldest first. */
  readonly states: ReportedState[];
  readonly balances: number[];
}

export const balanceOf = ({ movements }: BankPayment): number => movements.reduce((sum, moved) => sum + moved, 0);

export class Bank {
  readonly payments = new Map<Id, BankPayment>();
  #clock = 1_000;

  pay(id: Id, amount: number): void {
    if (this.payments.has(id)) return;
    const payment = { amount, movements: [amount], refunded: 0, taken: null, states: [], balances: [] };
    this.payments.set(id, payment);
    this.#publish(payment);
  }

  refund(id: Id, part: number): void {
    const payment = this.payments.get(id);
    if (payment === undefined || payment.taken !== null) return;
    const amount = Math.min(balanceOf(payment), Math.max(1, Math.round(payment.amount * part)));
    if (amount === 0) return;
    payment.movements.push(-amount);
    payment.refunded += amount;
    this.#publish(payment);
  }

  chargeBack(id: Id): void {
    const payment = this.payments.get(id);
    if (payment === undefined || payment.taken !== null) return;
    payment.taken = balanceOf(payment);
    payment.movements.push(-payment.taken);
    this.#publish(payment);
  }

  reverse(id: Id): void {
    const payment = this.payments.get(id);
    if (payment === undefined || payment.taken === null) return;
    payment.movements.push(payment.taken);
    payment.taken = null;
    this.#publish(payment);
  }

  #publish(payment: BankPayment): void {
    this.#clock += 1;
    payment.balances.push(balanceOf(payment));
    payment.states.push({
      paidCentavos: payment.amount,
      refundedCentavos: payment.refunded,
      chargedBack: payment.taken !== null,
      at: this.#clock,
    });
  }
}

const amounts = fc.oneof(fc.constant(DEBT), fc.integer({ min: 1, max: 2 * DEBT }));
export const id = fc.constantFrom(...IDS);
/** What the payers, the creditor and the banks do, and which answer of the bank reaches the service. */
export const deed = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pay' as const), id, amount: amounts }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refund' as const), id, part: fc.constantFrom(0.1, 0.5, 1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('chargeBack' as const), id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reverse' as const), id }) },
  // A question was answered at some time, and the answer arrives now: late, again, or after a newer one.
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('hear' as const), id, which: fc.nat(20) }) },
);

export type Deed = typeof deed extends fc.Arbitrary<infer One> ? One : never;

export function carryOut(bank: Bank, one: Exclude<Deed, { kind: 'hear' }>) {
  if (one.kind === 'pay') bank.pay(one.id, one.amount);
  else if (one.kind === 'refund') bank.refund(one.id, one.part);
  else bank[one.kind](one.id);
}
