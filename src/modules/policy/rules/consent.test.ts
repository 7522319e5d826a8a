import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dateOfConsent, parseConsentAt } from './consent.ts';

const NOW = Date.parse('2026-11-20T02:00:00Z');

describe('parseConsentAt', () => {
  it.each([
    ['2026-11-20', '2026-11-20'],
    ['2024-02-29', '2024-02-29'],
    ['1990-01-01', '1990-01-01'],
    ['2026-11-19T23:00:00-03:00', '2026-11-20T02:00:00.000Z'],
    ['2026-11-20T02:05Z', '2026-11-20T02:05:00.000Z'],
    ['2025-03-10T14:30:15.123456789Z', '2025-03-10T14:30:15.123Z'],
    ['1990-01-01T00:00:00Z', '1990-01-01T00:00:00.000Z'],
  ])('reads %s as %s', (given, read) => {
    expect(parseConsentAt(given, NOW)).toBe(read);
  });

  it.each([
    '2026-11-21',
    '2026-11-20T02:05:01Z',
    '2026-11-20T02:30:00-01:00',
    '1989-12-31',
    '1989-12-31T23:59:59Z',
    '2026-02-30',
    '2026-02-30T10:00:00Z',
    '2026-01-01T25:00:00Z',
    // Nobody can tell which moment is meant without an offset.
    '2026-01-01T10:00:00',
    '2026-01-01 10:00:00Z',
    '20/11/2025',
    '2026',
    '',
    20_251_120,
    null,
    undefined,
  ])('refuses %j', (given) => {
    expect(parseConsentAt(given, NOW)).toBeNull();
  });

  it('reads its own results again, and any text without an error', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('1990-01-01'), max: new Date(NOW), noInvalidDate: true }), (date) => {
        const read = parseConsentAt(date.toISOString(), NOW);
        expect(read).toBe(date.toISOString());
        expect(parseConsentAt(read, NOW)).toBe(read);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseConsentAt(text, NOW);
      }),
    );
  });
});

describe('dateOfConsent', () => {
  it('is the local date of a moment, and a calendar date everywhere', () => {
    const moment = { at: '2026-11-20T02:00:00.000Z', source: null };
    expect([dateOfConsent(moment, -3), dateOfConsent(moment, 0)]).toEqual(['2026-11-19', '2026-11-20']);
    expect(dateOfConsent({ at: '2026-11-20', source: null }, -5)).toBe('2026-11-20');
  });
});
