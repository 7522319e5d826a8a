import { describe, expect, it } from '@jest/globals';
import { formatCalendarDate, localMoment } from './format.ts';

describe('dates', () => {
  it('writes a calendar date without moving it', () => {
    expect(formatCalendarDate('2026-11-20')).toBe('20/11/2026');
    expect(() => formatCalendarDate('20/11/2026')).toThrow(RangeError);
  });

  it.each([
    ['São Paulo', -3, '19/11/2026', '23:30:00', 'UTC-03:00'],
    ['Manaus', -4, '19/11/2026', '22:30:00', 'UTC-04:00'],
    ['Rio Branco', -5, '19/11/2026', '21:30:00', 'UTC-05:00'],
    ['Noronha', -2, '20/11/2026', '00:30:00', 'UTC-02:00'],
    ['Greenwich', 0, '20/11/2026', '02:30:00', 'UTC+00:00'],
  ])('reads an instant on the clock of %s', (_place, utcOffset, date, time, offset) => {
    expect(localMoment(new Date('2026-11-20T02:30:00Z'), utcOffset)).toEqual({ date, time, offset });
  });
});
