import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatBrl, formatCalendarDate, formatCnpj, localMoment } from './format.ts';

describe('formatBrl', () => {
  it.each([
    [0, 'R$ 0,00'],
    [1, 'R$ 0,01'],
    [100, 'R$ 1,00'],
    [99_999, 'R$ 999,99'],
    [123_456, 'R$ 1.234,56'],
    [9_999_999_999, 'R$ 99.999.999,99'],
    [-123_456, '-R$ 1.234,56'],
  ])('%d centavos', (centavos, text) => {
    expect(formatBrl(centavos)).toBe(text);
  });

  it('writes what the Brazilian locale writes', () => {
    const locale = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
    fc.assert(
      fc.property(fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }), (centavos) => {
        expect(formatBrl(centavos)).toBe(locale.format(centavos / 100).replace(/\u00a0/g, ' '));
      }),
    );
  });

  it('refuses fractions of a centavo', () => {
    expect(() => formatBrl(0.5)).toThrow(RangeError);
  });
});

describe('dates', () => {
  it('writes a calendar date without moving it', () => {
    expect(formatCalendarDate('2026-11-20')).toBe('20/11/2026');
    expect(() => formatCalendarDate('20/11/2026')).toThrow(RangeError);
  });

  it.each([
    ['America/Sao_Paulo', '19/11/2026', '23:30:00', 'UTC-03:00'],
    ['America/Manaus', '19/11/2026', '22:30:00', 'UTC-04:00'],
    ['America/Rio_Branco', '19/11/2026', '21:30:00', 'UTC-05:00'],
    ['America/Noronha', '20/11/2026', '00:30:00', 'UTC-02:00'],
    ['UTC', '20/11/2026', '02:30:00', 'UTC+00:00'],
  ])('reads an instant on the clock of %s', (timeZone, date, time, offset) => {
    expect(localMoment(new Date('2026-11-20T02:30:00Z'), timeZone)).toEqual({ date, time, offset });
  });
});

describe('formatCnpj', () => {
  it('sets the punctuation once, keeps letters, and leaves what is not a CNPJ', () => {
    expect(formatCnpj('11222333000181')).toBe('11.222.333/0001-81');
    expect(formatCnpj('11.222.333/0001-81')).toBe('11.222.333/0001-81');
    expect(formatCnpj('12abc34501de35')).toBe('12.ABC.345/01DE-35');
    expect(formatCnpj('123')).toBe('123');
  });
});
