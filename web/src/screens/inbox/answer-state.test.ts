import { describe, expect, it } from '@jest/globals';
import type { TimelineEntry, TimelineEntryMessageSent } from '../../api/client.ts';
import type { Failed } from '../../api/problem.ts';
import { entriesOf } from '../../timeline/entries.ts';
import { lengthOf, mayReply, refusalOf } from './answer-state.ts';
import { dayAt, nextMonday, nineOf, tomorrow } from './snooze.ts';

const at = '2026-11-23T12:00:00.000Z';
const NOW = Date.parse(at) + 3_600_000;
const received = (intent: string) =>
  ({ at, kind: 'message_received', channel: 'whatsapp', text: 'oi', intent }) satisfies TimelineEntry;
const sent = (more: Partial<TimelineEntryMessageSent> = {}): TimelineEntry => ({
  at,
  kind: 'message_sent',
  messageId: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
  channel: 'whatsapp',
  purpose: 'reply',
  text: 'olá',
  delivery: 'sent',
  ...more,
});
const state = (...timeline: TimelineEntry[]) => mayReply(entriesOf(timeline), NOW);

describe('whether a message would be a reply', () => {
  it('is so while the debtor waits for one', () => {
    expect(state(sent(), received('question'))).toBe('waits');
    expect(state(received('human'), sent())).toBe('waits');
    expect(state(received('question'), sent({ author: 'staff', delivery: 'failed' }))).toBe('waits');
  });

  it('is so for a day after the debtor has written, where the clock is known', () => {
    expect(state(received('question'), sent())).toBe('recent');
    expect(state(received('human'), sent({ author: 'staff' }))).toBe('recent');
    const entries = entriesOf([received('question'), sent()]);
    expect(mayReply(entries, NOW + 86_400_000)).toBe('no');
    expect(mayReply(entries, null)).toBeNull();
    expect(state(sent())).toBe('no');
  });
});

describe('a refused message', () => {
  const failed = (code: Failed['code'], codes: string[] = [], verdict?: object): Failed => ({
    code,
    requestId: null,
    retryAfterSeconds: null,
    errors: codes.map((one) => ({ pointer: '/text', code: one, message: '' })),
    problem: (verdict === undefined ? null : { verdict }) as Failed['problem'],
  });

  it('may be confirmed when only warnings stand against it', () => {
    expect(refusalOf(failed('validation_failed', ['warning_date']))).toMatchObject({ kind: 'confirm' });
    expect(refusalOf(failed('validation_failed', ['threat', 'warning_date']))).toMatchObject({ kind: 'forbidden' });
  });

  it('names the rules of the verdict and the next moment', () => {
    expect(refusalOf(failed('contact_blocked', [], { rules: ['window'], notBefore: at }))).toEqual({
      kind: 'blocked',
      rules: ['window'],
      notBefore: at,
    });
    expect(refusalOf(failed('offline'))).toMatchObject({ kind: 'other' });
  });

  it('is counted in characters, not in halves of them', () => {
    expect(lengthOf('👍a')).toBe(2);
  });
});

describe('the moments of a snooze', () => {
  it('are nine o’clock at the company’s place', () => {
    // A Monday; in UTC it is Tuesday already.
    const monday = Date.parse('2026-11-24T01:30:00Z');
    expect(dayAt(monday)).toBe('2026-11-23');
    expect(tomorrow(monday)).toBe('2026-11-24');
    expect(nextMonday(monday)).toBe('2026-11-30');
    expect(nextMonday(Date.parse('2026-11-29T15:00:00Z'))).toBe('2026-11-30');
    expect(nineOf('2026-11-30')).toBe('2026-11-30T09:00:00-03:00');
    expect(nextMonday(Date.parse('2026-12-28T15:00:00Z'))).toBe('2027-01-04');
  });
});
