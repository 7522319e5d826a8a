import { expect, it } from '@jest/globals';
import { bodyOf, capFields } from './own-rules-body.ts';

const empty = { from: '', to: '', days: [], count: '', perDays: '', daysAfterDue: '' } as const;
const all = ['mon', 'tue', 'wed', 'thu', 'fri'] as const;

it('an empty form is no rule, and a filled one is what it says', () => {
  expect(bodyOf({ caps: [], hours: null }, { ...empty, days: all })).toEqual({
    hours: null,
    weekdays: null,
    caps: [],
    daysAfterDue: null,
  });
  const filled = {
    from: '10:00',
    to: '17:30',
    days: ['mon', 'fri'],
    count: '2',
    perDays: '7',
    daysAfterDue: '5',
  } as const;
  expect(bodyOf({ caps: [], hours: null }, filled)).toEqual({
    hours: { from: '10:00', to: '17:30' },
    weekdays: ['mon', 'fri'],
    caps: [{ count: 2, hours: 168 }],
    daysAfterDue: 5,
  });
});

it('what the form cannot show stays: hours that are no whole days, and the caps after the first', () => {
  const first = { count: 1, hours: 30 };
  const week = { count: 2, hours: 168 };
  const shown = { ...empty, days: all, ...capFields(first) };
  expect(shown).toMatchObject({ count: '1', perDays: '1' });
  const capsOf = (form: typeof shown) => bodyOf({ caps: [first, week], hours: null }, form).caps;
  expect(capsOf(shown)).toEqual([first, week]);
  expect(capsOf({ ...shown, count: '3' })).toEqual([{ count: 3, hours: 30 }, week]);
  expect(capsOf({ ...shown, perDays: '2' })).toEqual([{ count: 1, hours: 48 }, week]);
  expect(capsOf({ ...shown, count: '' })).toEqual([week]);
  // Less than half a day is shown as one day, because the field takes no zero.
  expect(capFields({ count: 1, hours: 10 }).perDays).toBe('1');
});

it('hours until the end of the day stay when nobody edits them', () => {
  const rules = { caps: [], hours: { from: '10:00', to: '24:00' } };
  const hoursOf = (from: string, to: string) => bodyOf(rules, { ...empty, days: all, from, to }).hours;
  expect(hoursOf('10:00', '23:59')).toEqual({ from: '10:00', to: '24:00' });
  expect(hoursOf('11:00', '23:59')).toEqual({ from: '11:00', to: '23:59' });
  expect(hoursOf('', '')).toBeNull();
});
