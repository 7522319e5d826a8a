import { describe, expect, it } from '@jest/globals';
import { parsePaymentMoment } from './payment-moment.ts';

const NOW = Date.parse('2026-11-20T14:30:00Z');
const parse = (text: string, now = NOW): string | null => {
  const at = parsePaymentMoment(text, now);
  return at === null ? null : new Date(at).toISOString();
};

describe('parsePaymentMoment', () => {
  it.each([
    ['2026-11-19', '2026-11-19T15:00:00.000Z'],
    ['2021-11-20', '2021-11-20T15:00:00.000Z'],
    ['2026-11-20', '2026-11-20T14:30:00.000Z'],
    ['2026-11-20T14:30:00Z', '2026-11-20T14:30:00.000Z'],
    ['2026-11-20T09:15-03:00', '2026-11-20T12:15:00.000Z'],
    ['2026-11-01T09:15:30.123456-05:00', '2026-11-01T14:15:30.123Z'],
    ['2021-11-20T00:00:00-03:00', '2021-11-20T03:00:00.000Z'],
  ])('%s', (text, at) => {
    expect(parse(text)).toBe(at);
  });

  it.each([
    '2026-11-21',
    '2026-11-20T14:30:01Z',
    '2021-11-19',
    '2021-11-19T23:59:59-03:00',
    '2026-02-30',
    '2026-02-30T10:00:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T10:00:00',
    '20/11/2026',
    '20261120',
    '2026-11-20T10:00:00+24:61',
    '',
    'ontem',
  ])('refuses %j', (text) => {
    expect(parse(text)).toBeNull();
  });

  it('takes today’s date before noon, by the day of São Paulo', () => {
    expect(parse('2026-11-20', Date.parse('2026-11-20T03:00:01Z'))).toBe('2026-11-20T03:00:01.000Z');
    expect(parse('2026-11-20', Date.parse('2026-11-20T02:59:59Z'))).toBeNull();
    expect(parse('2026-11-20', Date.parse('2026-11-20T23:00:00Z'))).toBe('2026-11-20T15:00:00.000Z');
  });
});
