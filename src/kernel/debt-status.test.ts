import { describe, expect, it } from '@jest/globals';
import {
  DEBT_STATUSES,
  type DebtStatus,
  type DebtTransition,
  isLive,
  isRunning,
  nextDebtStatus,
  statusesBefore,
} from './debt-status.ts';

const reached = (event: DebtTransition) =>
  Object.fromEntries(DEBT_STATUSES.map((status) => [status, nextDebtStatus(status, event)]));

describe('debt status', () => {
  it('becomes PAID from every other status', () => {
    for (const status of DEBT_STATUSES) expect(nextDebtStatus(status, 'paid')).toBe(status === 'PAID' ? null : 'PAID');
  });

  it.each([
    ['opted_out', 'OPTED_OUT'],
    ['disputed', 'DISPUTED'],
    ['wrong_person', 'STOPPED'],
    ['withdrawn', 'STOPPED'],
    ['archived', 'STOPPED'],
  ] as const)('%s is obeyed in any status but PAID, STOPPED and AGREEMENT, which an agreement keeps', (event, to) => {
    for (const status of DEBT_STATUSES) {
      expect(nextDebtStatus(status, event)).toBe(['PAID', 'STOPPED', 'AGREEMENT'].includes(status) ? null : to);
    }
  });

  it('is resumed only where it waits for the client, or where its sequence ended without an answer', () => {
    expect(statusesBefore('resumed')).toEqual(['ON_HOLD', 'DISPUTED', 'EXHAUSTED', 'UNREACHABLE']);
    expect(nextDebtStatus('ON_HOLD', 'resumed')).toBe('IN_COLLECTION');
  });

  it('gets an agreement where nobody has to decide first, and leaves it to be collected again or paid', () => {
    expect(statusesBefore('agreed')).toEqual([
      'QUEUED',
      'IN_COLLECTION',
      'PROMISED',
      'ON_HOLD',
      'EXHAUSTED',
      'UNREACHABLE',
    ]);
    expect(nextDebtStatus('AGREEMENT', 'agreement_ended')).toBe('IN_COLLECTION');
    expect(nextDebtStatus('AGREEMENT', 'paid')).toBe('PAID');
    for (const event of ['contacted', 'promised', 'held', 'exhausted', 'underpaid'] as const) {
      expect(nextDebtStatus('AGREEMENT', event)).toBeNull();
    }
  });

  it('is launched only once', () => {
    expect(Object.entries(reached('launched')).filter(([, to]) => to !== null)).toEqual([['IMPORTED', 'QUEUED']]);
  });

  it.each(['contacted', 'promised', 'exhausted'] as const)('%s never wakes a silenced debt', (event) => {
    for (const status of ['ON_HOLD', 'DISPUTED', 'OPTED_OUT', 'PAID', 'EXHAUSTED', 'STOPPED'] satisfies DebtStatus[]) {
      expect(nextDebtStatus(status, event)).toBeNull();
    }
  });

  it('keeps an opt-out or a dispute over a later hold', () => {
    expect(nextDebtStatus('OPTED_OUT', 'held')).toBeNull();
    expect(nextDebtStatus('DISPUTED', 'held')).toBeNull();
    expect(nextDebtStatus('OPTED_OUT', 'underpaid')).toBeNull();
    expect(nextDebtStatus('EXHAUSTED', 'held')).toBe('ON_HOLD');
  });

  it('leaves STOPPED only by a payment', () => {
    const events: DebtTransition[] = ['launched', 'contacted', 'promised', 'held', 'underpaid', 'exhausted', 'resumed'];
    for (const event of events) expect(nextDebtStatus('STOPPED', event)).toBeNull();
  });

  it('keeps a campaign from its end while it is live or has an agreement', () => {
    expect(DEBT_STATUSES.filter(isRunning)).toEqual(['QUEUED', 'IN_COLLECTION', 'PROMISED', 'AGREEMENT']);
  });

  it('is live exactly while it is queued, collected or promised', () => {
    expect(DEBT_STATUSES.filter(isLive)).toEqual(['QUEUED', 'IN_COLLECTION', 'PROMISED']);
  });
});
