import { describe, expect, it } from '@jest/globals';
import { DEBT_STATUSES, isLive } from '../../../kernel/debt-status.ts';
import { INBOX_REASONS, REASON_OF_STATUS, reasonsEndedBy } from './inbox-reasons.ts';

/** What only money, a file or an answer decides. */
const WITHOUT_STATUS = ['duplicate', 'overpaid', 'refunded', 'attachment', 'rights'];

describe('the reasons of the inbox', () => {
  it('end with the debt, except those that concern money or a file', () => {
    const ending = INBOX_REASONS.filter((reason) => !WITHOUT_STATUS.includes(reason));
    expect(reasonsEndedBy('STOPPED')).toEqual(ending);
    // What is paid may no longer be listed at a bureau.
    expect(reasonsEndedBy('PAID')).toEqual(ending.filter((reason) => reason !== 'negativation'));
  });

  it('that wait for a decision end when the collection continues', () => {
    const decisions = [
      'disputed',
      'hardship',
      'negotiate',
      'human',
      'underpaid',
      'said_paid',
      'agreement',
      'negativation',
    ];
    for (const status of DEBT_STATUSES.filter(isLive)) expect(reasonsEndedBy(status)).toEqual(decisions);
  });

  it('continue when a held debt is disputed, and an underpayment after an opt-out too', () => {
    expect(reasonsEndedBy('DISPUTED')).toEqual(['undelivered', 'settings', 'agreement', 'negativation']);
    expect(reasonsEndedBy('OPTED_OUT')).not.toContain('underpaid');
  });

  it('of a status do not end with it', () => {
    for (const [status, reason] of Object.entries(REASON_OF_STATUS))
      expect(reasonsEndedBy(status as keyof typeof REASON_OF_STATUS)).not.toContain(reason);
  });
});
