import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays } from '../../../kernel/calendar.ts';
import { addBusinessDays } from '../../../kernel/holidays.ts';
import { loadPolicy } from '../../policy/use-cases/load-policy.ts';
import { nextBusinessDay } from '../../terms/rules/counted-days.ts';
import {
  type AgreementFacts,
  agreedRest,
  agreementStep,
  instalmentStates,
  mayMove,
  nextAgreementStatus,
  type SentNotice,
} from './agreement-state.ts';

const calendar = { holidays: loadPolicy().holidays, states: ['SP'] as const };
const INSTALMENTS = [
  { number: 1, dueDate: '2026-07-10', amountCentavos: 25_200 },
  { number: 2, dueDate: '2026-08-10', amountCentavos: 25_200 },
  { number: 3, dueDate: '2026-09-10', amountCentavos: 25_200 },
];
const FACTS: AgreementFacts = {
  status: 'ACTIVE',
  instalments: INSTALMENTS,
  payments: [],
  breachAfterDays: 15,
  calendar,
  notices: [],
  unsureMessages: [],
  isStopped: false,
  dueAgainOn: null,
};
const FIRST_PAID = [{ on: '2026-07-10', amountCentavos: 25_200 }];
const WARNED: SentNotice[] = [{ instalment: 1, notice: 'warning', on: '2026-07-13' }];
const step = (today: string, change: Partial<AgreementFacts> = {}) => agreementStep({ ...FACTS, ...change }, today);

describe('the state of an instalment', () => {
  const states = (payments: AgreementFacts['payments'], today: string, status: AgreementFacts['status'] = 'ACTIVE') =>
    instalmentStates({ status, instalments: INSTALMENTS, payments }, today).map((one) => [one.status, one.paidOn]);

  it('is late from the day after its due date', () => {
    expect(states([], '2026-07-10').map(([status]) => status)).toEqual(['PENDING', 'PENDING', 'PENDING']);
    expect(states([], '2026-07-11').map(([status]) => status)).toEqual(['LATE', 'PENDING', 'PENDING']);
  });

  it('is paid in order, by however many payments', () => {
    const payments = [
      { on: '2026-07-20', amountCentavos: 30_300 },
      { on: '2026-07-10', amountCentavos: 20_100 },
    ];
    expect(states(payments, '2026-08-11')).toEqual([
      ['APPROVED', '2026-07-20'],
      ['APPROVED', '2026-07-20'],
      ['PENDING', null],
    ]);
    expect(agreedRest({ instalments: INSTALMENTS, payments })).toBe(25_200);
  });

  it('is cancelled with the agreement unless it was paid', () => {
    expect(states(FIRST_PAID, '2026-10-01', 'BROKEN')).toEqual([
      ['APPROVED', '2026-07-10'],
      ['CANCELLED', null],
      ['CANCELLED', null],
    ]);
  });

  it('conserves every centavo of the payments', () => {
    const payment = fc.record({
      on: fc.nat({ max: 90 }).map((days) => addDays('2026-07-01', days)),
      amountCentavos: fc.integer({ min: 1, max: 40_000 }),
    });
    fc.assert(
      fc.property(fc.array(payment, { maxLength: 6 }), (payments) => {
        const open = instalmentStates({ ...FACTS, payments }, '2026-10-10').map(({ openCentavos }) => openCentavos);
        expect(open.reduce((sum, amount) => sum + amount, 0)).toBe(agreedRest({ ...FACTS, payments }));
      }),
    );
  });
});

describe('an agreement', () => {
  it('notifies the day before, on the day, and warns three days late', () => {
    expect(step('2026-07-08')).toEqual({ kind: 'wait', until: '2026-07-09' });
    expect(step('2026-07-09')).toEqual({ kind: 'notify', instalment: 1, notice: 'day_before' });
    const before: SentNotice[] = [{ instalment: 1, notice: 'day_before', on: '2026-07-09' }];
    expect(step('2026-07-09', { notices: before })).toEqual({ kind: 'wait', until: '2026-07-10' });
    expect(step('2026-07-10', { notices: before })).toEqual({ kind: 'notify', instalment: 1, notice: 'due_day' });
    expect(step('2026-07-11')).toEqual({ kind: 'wait', until: '2026-07-13' });
    expect(step('2026-07-16')).toEqual({ kind: 'notify', instalment: 1, notice: 'warning' });
  });

  it('is broken when the tolerated days are over, and not before a warning', () => {
    expect(step('2026-07-25', { notices: WARNED })).toEqual({ kind: 'wait', until: '2026-07-27' });
    // The 26th is a Sunday, on which nobody is contacted.
    expect(step('2026-07-27', { notices: WARNED })).toEqual({ kind: 'broken' });
    expect(step('2026-12-01')).toMatchObject({ kind: 'notify', instalment: 1, notice: 'warning' });
  });

  it('is not broken on a Sunday or a holiday, however late it is looked at', () => {
    const first = { notices: WARNED, instalments: INSTALMENTS.slice(0, 1) };
    for (const [today, until] of [
      ['2026-08-01', '2026-08-03'],
      ['2026-08-02', '2026-08-03'],
      // The independence of Brazil, a Monday.
      ['2026-09-07', '2026-09-08'],
    ] as const) {
      expect(step(today, first)).toEqual({ kind: 'wait', until });
      expect(step(until, first)).toEqual({ kind: 'broken' });
    }
  });

  it('is not broken before three business days after the warning', () => {
    // 24 July 2026 is a Friday: the three days are 27, 28 and 29.
    const notices: SentNotice[] = [{ instalment: 1, notice: 'warning', on: '2026-07-24' }];
    expect(step('2026-07-29', { notices })).toEqual({ kind: 'wait', until: '2026-07-30' });
    expect(step('2026-07-30', { notices })).toEqual({ kind: 'broken' });
  });

  it('warns again on a later day when nobody knows whether the warning was sent', () => {
    const first: SentNotice = { instalment: 1, notice: 'warning', on: '2026-07-13', messageId: 'first' };
    const unsure = { notices: [first], unsureMessages: ['first'] };
    expect(step('2026-07-13', unsure)).toEqual({ kind: 'wait', until: '2026-07-14' });
    expect(step('2026-07-14', unsure)).toEqual({ kind: 'notify', instalment: 1, notice: 'warning' });
    expect(step('2026-12-01', unsure)).toEqual({ kind: 'notify', instalment: 1, notice: 'warning' });
    // One of two is known to have been sent; the debtor may have read the later day in the other.
    const second: SentNotice = { ...first, on: '2026-07-24', messageId: 'second' };
    for (const unsureMessages of [['first'], ['second']]) {
      const both = { notices: [first, second], unsureMessages };
      expect(step('2026-07-29', both)).toEqual({ kind: 'wait', until: '2026-07-30' });
      expect(step('2026-07-30', both)).toEqual({ kind: 'broken' });
    }
  });

  it('waits for an event while a person decides, and after its end', () => {
    expect(step('2026-12-01', { notices: WARNED, isStopped: true })).toEqual({ kind: 'wait', until: null });
    expect(step('2026-12-01', { notices: WARNED, status: 'CANCELLED' })).toEqual({ kind: 'wait', until: null });
  });

  it('is completed by the last centavo, also while a person decides', () => {
    const payments = [{ on: '2026-07-10', amountCentavos: 75_599 }];
    expect(step('2026-07-11', { payments }).kind).toBe('wait');
    const all = [...payments, { on: '2026-07-11', amountCentavos: 1 }];
    expect(step('2026-07-11', { payments: all, isStopped: true })).toEqual({ kind: 'completed' });
  });

  it('warns again after a payment was taken back, and counts its days from then', () => {
    const change = { notices: WARNED, dueAgainOn: '2026-09-01' };
    expect(step('2026-09-02', change)).toEqual({ kind: 'wait', until: '2026-09-04' });
    expect(step('2026-09-04', change)).toEqual({ kind: 'notify', instalment: 1, notice: 'warning' });
    const again: SentNotice[] = [...WARNED, { instalment: 1, notice: 'warning', on: '2026-09-04' }];
    const onlyFirst = { ...change, instalments: INSTALMENTS.slice(0, 1), notices: again };
    expect(step('2026-09-16', onlyFirst)).toEqual({ kind: 'wait', until: '2026-09-17' });
    expect(step('2026-09-17', onlyFirst)).toEqual({ kind: 'broken' });
  });

  it('ends once', () => {
    expect(nextAgreementStatus('ACTIVE', 'completed')).toBe('COMPLETED');
    expect(nextAgreementStatus('ACTIVE', 'broken')).toBe('BROKEN');
    expect(nextAgreementStatus('ACTIVE', 'cancelled')).toBe('CANCELLED');
    expect(nextAgreementStatus('COMPLETED', 'broken')).toBeNull();
  });

  it('never stops acting while it is active and nobody has to decide', () => {
    fc.assert(
      fc.property(fc.nat({ max: 25_200 * 3 }), fc.integer({ min: 5, max: 60 }), (amountCentavos, breachAfterDays) => {
        const payments = amountCentavos === 0 ? [] : [{ on: '2026-07-05', amountCentavos }];
        const notices: SentNotice[] = [];
        let today = '2026-07-05';
        for (let turn = 0; turn < 30; turn++) {
          const next = step(today, { payments, notices, breachAfterDays });
          if (next.kind === 'completed') return expect(amountCentavos).toBe(75_600);
          if (next.kind === 'broken') {
            const late = instalmentStates({ ...FACTS, payments }, today).find(({ status }) => status === 'LATE')!;
            const warned = notices.find(({ instalment, notice }) => instalment === late.number && notice === 'warning');
            expect(warned).toBeDefined();
            const tolerated = addDays(late.dueDate, breachAfterDays);
            const told = addBusinessDays(calendar.holidays, warned!.on, 3, calendar.states);
            return expect(today).toBe(nextBusinessDay(calendar, addDays([tolerated, told].toSorted()[1]!, 1)));
          }
          if (next.kind === 'wait') {
            expect(next.until! > today).toBe(true);
            today = next.until!;
          } else {
            notices.push({ instalment: next.instalment, notice: next.notice, on: today });
          }
        }
        throw new Error('The agreement has not ended');
      }),
    );
  });
});

describe('a move of an instalment', () => {
  const instalment = { dueDate: '2026-07-10', status: 'PENDING' as const };

  it('goes up to ten days ahead while moves are left', () => {
    expect(mayMove(instalment, '2026-07-20', '2026-07-08', 1)).toBe(true);
    expect(mayMove(instalment, '2026-07-21', '2026-07-08', 1)).toBe(false);
    expect(mayMove(instalment, '2026-07-10', '2026-07-08', 1)).toBe(false);
    expect(mayMove(instalment, '2026-07-20', '2026-07-08', 0)).toBe(false);
    expect(mayMove({ ...instalment, status: 'LATE' }, '2026-07-12', '2026-07-13', 1)).toBe(false);
    expect(mayMove({ ...instalment, status: 'CANCELLED' }, '2026-07-20', '2026-07-08', 1)).toBe(false);
  });
});
