import { describe, expect, it } from '@jest/globals';
import { loadPolicy } from '../../policy/use-cases/load-policy.ts';
import type { InstalmentState } from './agreement-state.ts';
import { movableDays } from './movable-days.ts';

const calendar = { holidays: loadPolicy().holidays, states: ['SP'] } as const;
const state = (number: number, dueDate: string, status: InstalmentState['status'] = 'PENDING'): InstalmentState => ({
  number,
  dueDate,
  amountCentavos: 10_000,
  status,
  openCentavos: status === 'APPROVED' ? 0 : 10_000,
  paidOn: null,
  paidBy: null,
});
const days = (states: readonly InstalmentState[], today: string, movesLeft = 1) =>
  Object.fromEntries(movableDays(states, { today, movesLeft, calendar }));

describe('the days to which a debtor may move an instalment', () => {
  it('are the business days of the ten days after it, without a holiday', () => {
    // 20 November 2026 is a holiday, and a Friday.
    expect(days([state(1, '2026-11-13')], '2026-11-01')).toEqual({
      1: ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-23'],
    });
  });

  it('are not after the due date of the next instalment', () => {
    expect(days([state(1, '2026-11-09'), state(2, '2026-11-11')], '2026-11-01')).toMatchObject({
      1: ['2026-11-10', '2026-11-11'],
    });
  });

  it('are not in the past, and there are none for a late instalment after ten days', () => {
    expect(days([state(1, '2026-11-09', 'LATE')], '2026-11-17')).toEqual({
      1: ['2026-11-17', '2026-11-18', '2026-11-19'],
    });
    expect(days([state(1, '2026-11-09', 'LATE')], '2026-11-20')).toEqual({});
  });

  it('are none for what is paid, or without a move', () => {
    expect(days([state(1, '2026-11-09', 'APPROVED')], '2026-11-01')).toEqual({});
    expect(days([state(1, '2026-11-09')], '2026-11-01', 0)).toEqual({});
  });
});
