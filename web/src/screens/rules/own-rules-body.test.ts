import { expect, it } from '@jest/globals';
import { bodyOf } from './own-rules-body.ts';

const empty = { from: '', to: '', days: [], count: '', perDays: '', daysAfterDue: '' } as const;
const all = ['mon', 'tue', 'wed', 'thu', 'fri'] as const;

it('an empty form is no rule, and a filled one is what it says', () => {
  expect(bodyOf({ ...empty, days: all })).toEqual({ hours: null, weekdays: null, caps: [], daysAfterDue: null });
  const filled = {
    from: '10:00',
    to: '17:30',
    days: ['mon', 'fri'],
    count: '2',
    perDays: '7',
    daysAfterDue: '5',
  } as const;
  expect(bodyOf(filled)).toEqual({
    hours: { from: '10:00', to: '17:30' },
    weekdays: ['mon', 'fri'],
    caps: [{ count: 2, hours: 168 }],
    daysAfterDue: 5,
  });
});
