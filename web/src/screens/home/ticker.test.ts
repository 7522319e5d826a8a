import { expect, it } from '@jest/globals';
import type { Event } from '../../api/client.ts';
import { tickerLines } from './ticker.ts';

const event = (id: string, type: string, data: object = {}): Event =>
  ({ id, type, at: '2026-11-22T12:00:00Z', debtId: `debt-${id}`, campaignId: 'c', data }) as unknown as Event;

it('gathers what happens to many, and leaves out what tells nobody anything', () => {
  const lines = tickerLines(
    [
      event('7', 'payment.approved', { amount: 100.5 }),
      event('6', 'debt.contacted'),
      event('5', 'debt.contacted'),
      event('4', 'debt.status_changed', { status: 'QUEUED' }),
      event('3', 'debt.contacted'),
      event('2', 'debt.status_changed', { status: 'DISPUTED' }),
      event('1', 'debt.imported'),
    ],
    3,
  );
  expect(lines.map(({ kind, count, amount }) => [kind, count, amount])).toEqual([
    ['paid', 1, 100.5],
    ['contacted', 3, null],
    ['disputed', 1, null],
  ]);
});
