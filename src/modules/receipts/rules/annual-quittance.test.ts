import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { decideQuittance, type KnownBill, MAX_QUITTANCE_BILLS } from './annual-quittance.ts';

const bill = (debtId: string, dueDate: string, rest: Partial<KnownBill> = {}): KnownBill => ({
  debtId,
  dueDate,
  status: 'PAID',
  covered: true,
  ...rest,
});

const decide = (...bills: readonly KnownBill[]) => decideQuittance(2025, { bills, today: '2026-11-28' });
const refusalsOf = (...bills: readonly KnownBill[]) => decide(...bills).refusals;

describe('a year of bills', () => {
  it('counts by the due date, from January to December, in their order', () => {
    const { paid, refusals } = decide(
      bill('after', '2026-01-01', { status: 'IN_COLLECTION' }),
      bill('last', '2025-12-31'),
      bill('first', '2025-01-01'),
      bill('before', '2024-12-31'),
    );
    expect(paid.map(({ debtId }) => debtId)).toEqual(['first', 'last']);
    expect(refusals).toEqual([]);
  });

  it.each(DEBT_STATUSES.filter((status) => status !== 'PAID' && status !== 'STOPPED'))(
    'is not paid while a bill of it is %s',
    (status) => {
      expect(refusalsOf(bill('a', '2025-03-05'), bill('b', '2025-04-05', { status }))).toEqual([
        { code: 'owed', debtIds: ['b'] },
      ]);
    },
  );

  it('is not paid once the money of a bill went back', () => {
    expect(refusalsOf(bill('a', '2025-03-05'), bill('b', '2025-04-05', { covered: false }))).toEqual([
      { code: 'money_back', debtIds: ['b'] },
    ]);
  });

  it('takes a bill that a person ended as neither owed nor paid', () => {
    const stopped = bill('b', '2025-04-05', { status: 'STOPPED' });
    const { paid, ended, refusals } = decide(bill('a', '2025-03-05'), stopped);
    expect([paid.map(({ debtId }) => debtId), ended.map(({ debtId }) => debtId), refusals]).toEqual([['a'], ['b'], []]);
    expect(refusalsOf(stopped)).toEqual([{ code: 'nothing_paid', debtIds: [] }]);
  });

  it('has to be over, and to have a bill', () => {
    expect(refusalsOf()).toEqual([{ code: 'nothing_paid', debtIds: [] }]);
    const inside = decideQuittance(2026, { bills: [bill('a', '2026-03-05')], today: '2026-12-31' });
    expect(inside.refusals).toEqual([{ code: 'year_not_over', debtIds: [] }]);
    const after = decideQuittance(2026, { bills: [bill('a', '2026-03-05')], today: '2027-01-01' });
    expect(after.refusals).toEqual([]);
  });

  it('is paid also while earlier years are owed, which it names', () => {
    const { refusals, earlierOwed } = decide(
      bill('a', '2025-03-05'),
      bill('open', '2024-05-05', { status: 'EXHAUSTED' }),
      bill('back', '2023-05-05', { covered: false }),
      bill('ended', '2023-06-05', { status: 'STOPPED' }),
    );
    expect([refusals, earlierOwed.map(({ debtId }) => debtId)]).toEqual([[], ['back', 'open']]);
  });

  it('is refused for more bills than a document has', () => {
    const bills = Array.from({ length: MAX_QUITTANCE_BILLS + 1 }, (_, at) => bill(String(at), '2025-03-05'));
    expect(refusalsOf(...bills)).toEqual([{ code: 'too_many', debtIds: [] }]);
  });

  it('is never quitted while a bill of it is unpaid, whatever else there is', () => {
    const known = fc.record({
      debtId: fc.uuid(),
      dueDate: fc.integer({ min: 2023, max: 2027 }).map((year) => `${year}-06-10`),
      status: fc.constantFrom(...DEBT_STATUSES),
      covered: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(known, { maxLength: 12 }), fc.integer({ min: 2023, max: 2027 }), (bills, year) => {
        const { refusals, paid, ended } = decideQuittance(year, { bills, today: '2026-11-28' });
        const ofYear = bills.filter(({ dueDate }) => dueDate.startsWith(String(year)));
        const isPaid = ({ status, covered }: KnownBill): boolean => status === 'PAID' && covered;
        const isWhole =
          year < 2026 && ofYear.some(isPaid) && ofYear.every((one) => isPaid(one) || one.status === 'STOPPED');
        expect(refusals.length === 0).toBe(isWhole);
        if (isWhole) expect(paid.length + ended.length).toBe(ofYear.length);
      }),
    );
  });
});
