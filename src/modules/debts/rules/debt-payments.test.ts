import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Bank, balanceOf, carryOut, DEBT, type Deed, deed, IDS, type Id, id } from '../../../../testing/bank.ts';
import { loadPolicy } from '../../policy/use-cases/load-policy.ts';
import type { IndebtedFor } from '../../terms/rules/owed-on.ts';
import {
  applyState,
  closedCentavos,
  type DebtPayments,
  isCovered,
  type Payment,
  type ReportedState,
  recoveredCentavos,
} from './debt-payments.ts';

const { holidays } = loadPolicy();
const indebtedFor = (principalCentavos: number): IndebtedFor => ({
  terms: null,
  principalCentavos,
  dueDate: '2026-10-05',
  calendar: { holidays, states: ['SP'] },
  indices: { legalRate: new Map(), ipca: new Map() },
});

/** The service: it counts what changes, as the figures of campaigns are counted. */
class Service {
  debt: DebtPayments = {
    indebted: indebtedFor(DEBT),
    settled: false,
    coveredCentavos: null,
    payments: IDS.map((id) => ({
      id,
      paidCentavos: 0,
      refundedCentavos: 0,
      chargedBack: false,
      reportedAt: null,
      on: null,
      waivesRest: false,
    })),
  };
  counted = 0;
  approved = 0;

  hear(id: Id, state: ReportedState) {
    const change = applyState(this.debt, id, state, { on: '2026-11-20', waivesRest: false });
    if (change === null) return null;
    for (const payment of change.debt.payments) {
      const before = this.debt.payments.find((one) => one.id === payment.id)!;
      this.counted += recoveredCentavos(change.debt, payment) - recoveredCentavos(this.debt, before);
    }
    if (change.outcome === 'settled') this.approved += 1;
    this.debt = change.debt;
    return change;
  }
}

/** Two payments are the whole debt, and a part of the first has gone back when the second is heard of. */
const RETURNED_BEFORE_THE_REST: Deed[] = [
  { kind: 'pay', id: 'c', amount: DEBT - 1_701 },
  { kind: 'pay', id: 'b', amount: 1_701 },
  { kind: 'refund', id: 'b', part: 0.1 },
];

describe('what the payments of a debt amount to', () => {
  it('equals the money of the bank after every sequence, however late and often the bank is heard', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 40 }), fc.shuffledSubarray([...IDS], { minLength: 4 }), (deeds, last) => {
        const bank = new Bank();
        const service = new Service();
        /** The newest state that was heard of each payment. */
        const heard = new Map<Id, number>();
        let settled = false;

        const hear = (about: Id, version: number): void => {
          const payment = bank.payments.get(about)!;
          const before = heard.get(about) ?? -1;
          const seen = (one: Id) => bank.payments.get(one)!.balances[heard.get(one)!]!;
          const others = [...heard.keys()].filter((one) => one !== about).reduce((sum, one) => sum + seen(one), 0);
          const formerly = service.debt;
          const change = service.hear(about, payment.states[version]!);
          if (before === -1) {
            expect(change?.outcome).toBe(
              settled ? 'duplicate' : payment.amount + others >= DEBT ? 'settled' : 'underpaid',
            );
            settled ||= change?.outcome === 'settled';
          } else if (version <= before) {
            expect(service.debt).toEqual(formerly);
          } else {
            expect(change?.outcome).toBeNull();
          }
          heard.set(about, Math.max(before, version));

          expect(service.debt.settled).toBe(settled);
          const inBank = [...heard.keys()].reduce((sum, one) => sum + seen(one), 0);
          expect(service.counted).toBe(settled ? inBank : 0);
          const standing = [...heard.keys()].filter((one) => seen(one) > 0);
          const covered = standing.reduce((sum, one) => sum + bank.payments.get(one)!.amount, 0);
          // Only a settlement can stand: a part that went back before the rest was heard of is still owed.
          expect(isCovered(service.debt)).toBe(settled && covered >= DEBT);
        };

        for (const one of deeds) {
          if (one.kind !== 'hear') carryOut(bank, one);
          else if (bank.payments.has(one.id)) hear(one.id, one.which % bank.payments.get(one.id)!.states.length);
        }
        for (const about of last) {
          const payment = bank.payments.get(about);
          if (payment !== undefined) hear(about, payment.states.length - 1);
        }
        const inBank = [...bank.payments.values()].reduce((sum, payment) => sum + balanceOf(payment), 0);
        expect(service.counted).toBe(service.debt.settled ? inBank : 0);
        expect(service.approved).toBe(service.debt.settled ? 1 : 0);
      }),
      { numRuns: 2_000, examples: [[RETURNED_BEFORE_THE_REST, ['a', 'b', 'd', 'c']]] },
    );
  });

  it('does not depend on the order in which payments of the whole debt are heard', () => {
    fc.assert(
      fc.property(
        fc.array(deed, { maxLength: 30 }),
        fc.array(fc.tuple(id, fc.nat(20)), { maxLength: 30 }),
        fc.shuffledSubarray([...IDS], { minLength: 4 }),
        (deeds, detours, last) => {
          const bank = new Bank();
          for (const one of deeds) {
            if (one.kind !== 'hear') carryOut(bank, one.kind === 'pay' ? { ...one, amount: DEBT + one.amount } : one);
          }
          const newest = (service: Service, about: Id) => {
            const states = bank.payments.get(about)?.states;
            if (states !== undefined) service.hear(about, states.at(-1)!);
          };
          const inOrder = new Service();
          for (const about of IDS) newest(inOrder, about);
          const late = new Service();
          for (const [about, which] of detours) {
            const states = bank.payments.get(about)?.states;
            if (states !== undefined) late.hear(about, states[which % states.length]!);
          }
          for (const about of last) newest(late, about);
          expect(late.debt).toEqual(inOrder.debt);
          expect([late.counted, late.approved]).toEqual([inOrder.counted, inOrder.approved]);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('takes nothing back on the word of a report without a moment', () => {
    const service = new Service();
    const state = { paidCentavos: DEBT, refundedCentavos: 0, chargedBack: false, at: null };
    service.hear('a', { ...state, refundedCentavos: 30, chargedBack: true });
    expect(service.hear('a', state)).toMatchObject({ refunded: false, chargeback: null });
    expect(service.debt.payments[0]).toMatchObject({ refundedCentavos: 30, chargedBack: true });
  });

  it('knows no payment that is not one of the debt', () => {
    const state = { paidCentavos: DEBT, refundedCentavos: 0, chargedBack: false, at: null };
    expect(applyState(new Service().debt, 'z', state, { on: '2026-11-20', waivesRest: false })).toBeNull();
  });
});

describe('what payments close of a debt', () => {
  const payment = (id: string, paidCentavos: number, on: string, waivesRest = false): Payment => ({
    id,
    paidCentavos,
    refundedCentavos: 0,
    chargedBack: false,
    reportedAt: null,
    on,
    waivesRest,
  });
  const closedBy = (...payments: readonly Payment[]): number =>
    closedCentavos({ indebted: indebtedFor(10_000), settled: true, coveredCentavos: 6_000, payments });

  it('is what is credited, and what was given up after it', () => {
    expect(closedBy(payment('a', 4_000, '2026-11-20'))).toBe(4_000);
    expect(closedBy(payment('a', 6_000, '2026-11-20', true))).toBe(10_000);
  });

  it('is never more than the debt, in whichever order the payments count', () => {
    const settling = payment('a', 6_000, '2026-11-20', true);
    expect(closedBy(settling, payment('b', 10_000, '2026-11-19'))).toBe(10_000);
    expect(closedBy(settling, payment('b', 10_000, '2026-11-21'))).toBe(10_000);
  });
});
