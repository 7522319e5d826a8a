import { describe, expect, it } from '@jest/globals';
import { parseDay } from './day.ts';

describe('a day that is typed', () => {
  it.each(['20/11/2026', '20.11.2026', '20-11-2026', '20112026', ' 20/11/2026 '])('is read from %j', (text) => {
    expect(parseDay(text)).toBe('2026-11-20');
  });

  it('may have one figure for the day and the month', () => {
    expect(parseDay('5/1/2026')).toBe('2026-01-05');
  });

  it('has a year of two figures only once the typing has ended', () => {
    expect(parseDay('20/11/26')).toBeNull();
    expect(parseDay('20/11/26', { short: true })).toBe('2026-11-20');
  });

  it.each(['', '20/11', '31/09/2026', '29/02/2026', '20/13/2026', '20/11/0026', '11/20/2026', '2026-11-20', 'hoje'])(
    'is not read from %j',
    (text) => {
      expect(parseDay(text, { short: true })).toBeNull();
    },
  );
});
