import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nextPaymentStatus, PAYMENT_STATUSES, type PaymentStatus } from './payment-status.ts';

const after = (reports: readonly PaymentStatus[]) => reports.reduce(nextPaymentStatus, 'PENDING' as PaymentStatus);
const reports = fc.array(fc.constantFrom(...PAYMENT_STATUSES), { maxLength: 8 });

it('stays APPROVED, in whatever order reports arrive', () => {
  fc.assert(
    fc.property(reports, (list) => {
      expect(after(list) === 'APPROVED').toBe(list.includes('APPROVED'));
    }),
  );
});

it('is the same when reports come twice', () => {
  fc.assert(
    fc.property(reports, (list) => {
      expect(after(list.flatMap((report) => [report, report]))).toBe(after(list));
    }),
  );
});

it('is not reopened by a stale PENDING', () => {
  expect(nextPaymentStatus('CANCELLED', 'PENDING')).toBe('CANCELLED');
  expect(nextPaymentStatus('REJECTED', 'PENDING')).toBe('REJECTED');
  expect(nextPaymentStatus('PENDING', 'REJECTED')).toBe('REJECTED');
});
