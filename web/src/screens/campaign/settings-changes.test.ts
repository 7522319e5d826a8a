import { describe, expect, it } from '@jest/globals';
import type { Campaign } from '../../api/client.ts';
import { timeOfField } from '../../time-field.ts';
import { openDebts, statusParts } from './open-debts.ts';
import { defaultSteps, type Step, withoutStep, withStep } from './sequence.ts';
import { type SettingsDraft, settingsChanges, withEarlier } from './settings-changes.ts';

const STEPS: Step[] = [
  { kind: 'first', tone: 'friendly', thenWaitDays: 3 },
  { kind: 'last', tone: 'firm', thenWaitDays: 0 },
];
const CAMPAIGN: Campaign = {
  id: '3f6c0f5e-0f0a-4b0e-9d53-0a3f5ad7e2b1',
  name: 'Mensalidades',
  status: 'RUNNING',
  sandbox: true,
  channels: ['email'],
  sequence: STEPS,
  hours: { from: '10:00', to: '24:00' },
  reminders: { daysBefore: [3, 0] },
  sender: null,
  onPartial: 'hold',
  createdAt: '2026-11-20T12:00:00.000Z',
  launchedAt: null,
};
const SAME: SettingsDraft = {
  name: 'Mensalidades',
  sender: '',
  from: '10:00',
  to: '23:59',
  channels: ['email'],
  daysBefore: [3, 0],
  sequence: STEPS,
};

describe('the settings of a campaign', () => {
  it('send what has changed alone, and nothing for a form that nobody has touched', () => {
    expect(settingsChanges(CAMPAIGN, SAME)).toEqual({});
    expect(settingsChanges(CAMPAIGN, { ...SAME, sender: 'Escola', to: '17:00' })).toEqual({
      sender: 'Escola',
      hours: { from: '10:00', to: '17:00' },
    });
  });

  it('change the reminders, and end them', () => {
    const change = (daysBefore: readonly number[]) => settingsChanges(CAMPAIGN, { ...SAME, daysBefore });
    expect(change([5])).toEqual({ reminders: { daysBefore: [5] } });
    expect(change([])).toEqual({ reminders: null });
  });

  it('return to the default by empty fields', () => {
    expect(settingsChanges(CAMPAIGN, { ...SAME, from: '', to: '', channels: [], sequence: null })).toEqual({
      hours: null,
      channels: null,
      sequence: null,
    });
    expect(timeOfField(undefined)).toBe('');
  });
});

describe('a sequence of its own', () => {
  it('begins with the first contact and waits between all others, whatever is removed or added', () => {
    expect(withoutStep(STEPS, 0)).toEqual([{ kind: 'first', tone: 'firm', thenWaitDays: 0 }]);
    expect(withStep(STEPS)).toEqual([
      { kind: 'first', tone: 'friendly', thenWaitDays: 3 },
      { kind: 'reminder', tone: 'firm', thenWaitDays: 1 },
      { kind: 'last', tone: 'firm', thenWaitDays: 0 },
    ]);
    expect(withStep([])).toEqual([{ kind: 'first', tone: 'friendly', thenWaitDays: 0 }]);
  });

  it('begins with what the policy shows', () => {
    expect(defaultSteps({ sequence: { steps: [...STEPS, 'odd', null] } })).toEqual(STEPS);
    expect(defaultSteps({ sequence: {} })).toEqual([]);
  });
});

describe('the figures of a campaign', () => {
  const none = { IMPORTED: 0, QUEUED: 0, IN_COLLECTION: 0, PROMISED: 0, ON_HOLD: 0, DISPUTED: 0, OPTED_OUT: 0 };
  const byStatus = { ...none, AGREEMENT: 5, PAID: 4, EXHAUSTED: 1, UNREACHABLE: 0, STOPPED: 2, QUEUED: 3 };

  it('say which debts archiving would end, agreements not among them, and gather the statuses for the chart', () => {
    expect(openDebts(byStatus)).toBe(4);
    expect(statusParts(byStatus).map(({ key, count }) => [key, count])).toEqual([
      ['queue', 3],
      ['contact', 0],
      ['agreement', 5],
      ['waiting', 0],
      ['paid', 4],
      ['ended', 3],
    ]);
  });
});

describe('the order of the channels', () => {
  it('changes by one place at a time', () => {
    expect(withEarlier(['email', 'whatsapp', 'twilio'], 2)).toEqual(['email', 'twilio', 'whatsapp']);
    expect(withEarlier(['email', 'whatsapp', 'twilio'], 1)).toEqual(['whatsapp', 'email', 'twilio']);
  });
});
