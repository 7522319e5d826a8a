import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY } from '../../../kernel/calendar.ts';
import { unrecordedContacts } from './unrecorded-contacts.ts';

const at = (text: string): number => Date.parse(text);
const days = 8;

describe('contacts that nobody recorded', () => {
  it('are none when nothing happened since the backup', () => {
    const moment = at('2026-11-18T14:00:00Z');
    expect(unrecordedContacts(moment, moment, days)).toEqual([]);
    expect(unrecordedContacts(moment, moment - 1, days)).toEqual([]);
  });

  it('are one for each date, as late as it can have been', () => {
    expect(unrecordedContacts(at('2026-11-17T03:00:00Z'), at('2026-11-18T14:00:00Z'), days)).toEqual([
      at('2026-11-17T23:59:59.999Z'),
      at('2026-11-18T14:00:00Z'),
    ]);
  });

  it('cover every moment of an allowed contact, at most once a day and never after the end', () => {
    const moment = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') });
    fc.assert(
      fc.property(
        moment,
        fc.integer({ min: 1, max: 20 * DAY }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (from, length, share) => {
          const to = from + length;
          const made = unrecordedContacts(from, to, days);
          expect(made.every((one) => one >= from && one <= to)).toBe(true);
          expect(new Set(made.map((one) => Math.floor(one / DAY))).size).toBe(made.length);
          const contact = from + Math.floor(length * share);
          if (to - contact > (days - 1) * DAY) return;
          // One of them is on the date of the contact and not before it, so that a cap lasts at least as long.
          expect(made.some((one) => one >= contact && Math.floor(one / DAY) === Math.floor(contact / DAY))).toBe(true);
        },
      ),
    );
  });
});
