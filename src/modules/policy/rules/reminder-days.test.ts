import { describe, expect, it } from '@jest/globals';
import { contactQuestion } from '../../../../testing/contact-question.ts';
import { DAY, HOUR } from '../../../kernel/calendar.ts';
import { loadPolicy } from '../use-cases/load-policy.ts';
import { decideContact, purposeOf } from './contact-policy.ts';
import type { ContactQuestion } from './contact-question.ts';
import { planFirstSlots } from './first-contacts.ts';
import { mayBeMentioned, slotAfterContact } from './next-slot.ts';
import { bindingPack } from './policy-pack.ts';

const policy = loadPolicy();
const pack = bindingPack(policy.pack, 'itself');
const sp = (local: string): number => Date.parse(`${local}-03:00`);
const MONDAY = sp('2026-12-07T10:00:00');

const question = (
  dueDate: string,
  daysBefore: readonly number[],
  change: Partial<ContactQuestion> = {},
): ContactQuestion => {
  const given = contactQuestion({ pack, holidays: policy.holidays, now: MONDAY, ...change });
  const reminders = { daysBefore, sentAt: null };
  return { ...given, debt: { ...given.debt, status: 'QUEUED', reminders, dueDate } };
};

/** The local days of all contacts until the debt is collected, each as soon as it is allowed. */
function contactsOf(asked: ContactQuestion): string[] {
  const made: string[] = [];
  for (let now = asked.now, at: ContactQuestion = asked; made.length < 10; ) {
    const decision = decideContact({ ...at, now });
    const moment = decision.allowed ? now : decision.notBefore;
    if (moment === null) break;
    const purpose = purposeOf({ ...at, now: moment });
    made.push(`${purpose} ${new Date(moment - 3 * HOUR).toISOString().slice(0, 10)}`);
    if (purpose === 'collection') break;
    const one = { debtId: '0', purpose, question: { ...at, now: moment }, sequence: policy.sequence, step: 0 };
    now = slotAfterContact({ ...one, at: moment }).at;
    at = { ...at, debt: { ...at.debt, reminders: { ...at.debt.reminders!, sentAt: moment } } };
  }
  return made;
}

describe('the days of reminders', () => {
  it('are so many days before the due date, and the debt is collected from the day after it', () => {
    expect(contactsOf(question('2026-12-10', [3, 0]))).toEqual([
      'reminder 2026-12-07',
      'reminder 2026-12-10',
      'collection 2026-12-11',
    ]);
  });

  it('move to the last day before that has an opening, and two that come to one day are one', () => {
    // 13 December 2026 is a Sunday, and so is 20 December.
    expect(contactsOf(question('2026-12-13', [0]))).toEqual(['reminder 2026-12-11', 'collection 2026-12-14']);
    expect(contactsOf(question('2026-12-20', [2, 1, 0]))).toEqual(['reminder 2026-12-18', 'collection 2026-12-21']);
    // Christmas is a Friday.
    expect(contactsOf(question('2026-12-25', [0]))).toEqual(['reminder 2026-12-24', 'collection 2026-12-28']);
  });

  it('that have passed are not made up for', () => {
    expect(contactsOf(question('2026-12-08', [3]))).toEqual(['collection 2026-12-09']);
    const late = { now: sp('2026-12-07T20:00:00') };
    expect(contactsOf(question('2026-12-10', [3, 0], late))).toEqual(['reminder 2026-12-10', 'collection 2026-12-11']);
  });

  it('are those of the place of the debtor, in all its time zones', () => {
    // It is 06:30 in Acre and 08:30 in São Paulo: neither is open yet, and the day has begun in both.
    const acre = question('2026-12-08', [0], { phoneAreaCode: '68', now: sp('2026-12-08T08:30:00') });
    const decision = decideContact(acre);
    expect(decision).toMatchObject({ allowed: false, rules: ['window'] });
    expect(new Date(decision.allowed ? 0 : decision.notBefore!).toISOString()).toBe('2026-12-08T14:00:00.000Z');
  });

  it('find no other reminder on the day of one', () => {
    const asked = question('2026-12-10', [3]);
    const { reminders } = asked.debt;
    const again = {
      ...asked,
      now: MONDAY + 2 * HOUR,
      debt: { ...asked.debt, reminders: { ...reminders!, sentAt: MONDAY } },
    };
    expect(decideContact(again)).toMatchObject({ allowed: false, rules: ['due'] });
  });

  it('yield to caps and are lost with their day', () => {
    const earlier = [{ at: MONDAY - HOUR, own: false }];
    const capped = question('2026-12-10', [3, 0], { ledger: { person: earlier, phone: [] } });
    expect(contactsOf(capped)[0]).toBe('reminder 2026-12-10');
  });

  it('are silent for whoever has asked for it, promised or said that it is paid', () => {
    const asked = question('2026-12-10', [3, 0]);
    const silent: readonly Partial<ContactQuestion>[] = [
      { suppressions: { optedOut: true, wrongPerson: false, elsewhere: false } },
      { suppressions: { optedOut: false, wrongPerson: true, elsewhere: false } },
      { inboxWaiting: true },
      { campaignPaused: true },
      { clientUnverified: true },
      { debt: { ...asked.debt, status: 'DISPUTED' } },
      { debt: { ...asked.debt, status: 'ON_HOLD' } },
      { debt: { ...asked.debt, status: 'PAID' } },
      { debt: { ...asked.debt, promisedDate: '2026-12-09' } },
      { debt: { ...asked.debt, saidPaidAt: MONDAY - HOUR } },
      { debt: { ...asked.debt, staffAnswersUntil: MONDAY + HOUR } },
    ];
    for (const change of silent) expect(decideContact({ ...asked, ...change }).allowed).toBe(false);
    expect(decideContact(asked)).toMatchObject({ allowed: true });
    const promised = contactsOf({ ...asked, debt: { ...asked.debt, promisedDate: '2026-12-08' } });
    expect(promised[0]).toBe('reminder 2026-12-10');
  });
});

describe('a reminder', () => {
  it('has not passed the rule about the due date, and a message that collects has', () => {
    const rulesAt = (now: number) => {
      const decision = decideContact({ ...question('2026-12-10', [3]), now });
      return decision.allowed ? [...decision.rules, ...decision.ruleIds] : [];
    };
    expect(rulesAt(MONDAY)).toContain('caps');
    expect(rulesAt(MONDAY).filter((rule) => rule.includes('due'))).toEqual([]);
    expect(rulesAt(MONDAY + 4 * DAY)).toContain('due');
  });

  it('speaks of no debt that is due, and a message that collects of no bill that is not', () => {
    const [reminded, collected] = [question('2026-12-10', [3]), question('2026-11-10', [3])];
    expect(mayBeMentioned(reminded, 'reminder')).toBe(true);
    expect(mayBeMentioned(reminded, 'collection')).toBe(false);
    expect(mayBeMentioned(collected, 'reminder')).toBe(false);
    // It has its reminder on another day.
    expect(mayBeMentioned(question('2026-12-11', [3]), 'reminder')).toBe(false);
  });

  it('is planned for a debt that comes later, also when the person gets a message that collects before', () => {
    const key = { personKey: 'p', phoneKey: 'f', clientId: 'c', debtId: '00000000-0000-4000-8000-000000000000' };
    const later = { key, question: question('2026-12-12', [3]), joinsAt: MONDAY + 4 * DAY };
    const { contacts } = planFirstSlots([later], [], MONDAY);
    expect(contacts.map(({ at }) => new Date(at).toISOString())).toEqual(['2026-12-09T12:00:00.000Z']);
  });
});
