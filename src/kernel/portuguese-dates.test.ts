import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays, weekday } from './calendar.ts';
import { parsePortugueseDate } from './portuguese-dates.ts';

const HOLIDAYS = new Set(['2026-11-20', '2026-12-25', '2027-01-01']);
const isBusinessDay = (date: string): boolean => ![0, 6].includes(weekday(date)) && !HOLIDAYS.has(date);
/** 18/11/2026 is a Wednesday. */
const on = (today: string) => (text: string) => parsePortugueseDate(text, { today, isBusinessDay });
const read = on('2026-11-18');

describe('parsePortugueseDate', () => {
  it.each([
    ['hoje', '2026-11-18'],
    ['hj à noite', '2026-11-18'],
    ['daqui a pouco', '2026-11-18'],
    ['amanhã', '2026-11-19'],
    ['amnh', '2026-11-19'],
    ['depois de amanhã', '2026-11-20'],
    ['sexta', '2026-11-20'],
    ['sexta-feira', '2026-11-20'],
    ['6ª feira', '2026-11-20'],
    ['sexta que vem', '2026-11-20'],
    ['na outra sexta', '2026-11-27'],
    ['sexta da semana que vem', '2026-11-27'],
    ['semana que vem na terça', '2026-11-24'],
    ['segunda', '2026-11-23'],
    ['quarta', '2026-11-25'],
    ['nessa quarta', '2026-11-18'],
    ['domingo', '2026-11-22'],
    ['dia 10', '2026-12-10'],
    ['dia 18', '2026-11-18'],
    ['dia 20', '2026-11-20'],
    ['dia vinte e cinco', '2026-11-25'],
    ['dia primeiro', '2026-12-01'],
    ['dia 1º', '2026-12-01'],
    ['dia 5 do mês que vem', '2026-12-05'],
    ['dia 25 do mês que vem', '2026-12-25'],
    ['dia 20, mês que vem', '2026-12-20'],
    ['posso pagar dia 20, do próximo mês, sem falta', '2026-12-20'],
    ['dia 31', '2026-11-30'],
    ['10/12', '2026-12-10'],
    ['05/01', '2027-01-05'],
    ['10/12/2026', '2026-12-10'],
    ['10 de dezembro', '2026-12-10'],
    ['dez de janeiro', '2027-01-10'],
    ['até dia 30', '2026-11-30'],
    ['depois do dia 10', '2026-12-11'],
    ['antes do dia 30', '2026-11-29'],
    ['a partir do dia 5', '2026-12-05'],
    ['entre dia 5 e dia 10', '2026-12-10'],
    ['sexta ou segunda', '2026-11-23'],
    ['daqui a 3 dias', '2026-11-21'],
    ['daqui uns 3 dias', '2026-11-21'],
    ['daqui a uma semana', '2026-11-25'],
    ['em quinze dias', '2026-12-03'],
    ['daqui um mês', '2026-12-18'],
    ['em 3 dias úteis', '2026-11-24'],
    ['semana que vem', '2026-11-27'],
    ['essa semana ainda', '2026-11-19'],
    ['fim de semana', '2026-11-22'],
    ['fim do mês', '2026-11-30'],
    ['final do mês que vem', '2026-12-31'],
    ['começo do mês', '2026-12-05'],
    ['mês que vem', '2026-12-07'],
    ['quinto dia útil', '2026-12-07'],
    ['5º dia útil', '2026-12-07'],
    ['depois do quinto dia útil', '2026-12-08'],
    ['primeiro dia útil do mês que vem', '2026-12-01'],
    ['hoje não consigo, só sexta', '2026-11-20'],
    ['não consigo antes do dia 10', '2026-12-10'],
    ['venceu dia 10, pago dia 25', '2026-11-25'],
    ['recebo dia 5 e pago dia 6', '2026-12-06'],
    ['só recebo dia 5', '2026-12-05'],
  ])('reads "%s" as %s', (text, date) => {
    expect(read(text)).toBe(date);
  });

  it.each([
    'no pagamento',
    'quando eu receber',
    'assim que der',
    'paguei dia 5',
    'paguei sexta',
    'venceu dia 10',
    'faz 3 dias que paguei',
    'segunda via do boleto',
    'quero em 10x',
    'dia 45',
    'sexta não dá',
    'um dia eu pago',
    '',
  ])('reads no date in "%s"', (text) => {
    expect(read(text)).toBeNull();
  });

  const early = on('2026-11-05');

  it.each([
    ['só consigo pagar mês que vem dia 20', '2026-12-20'],
    ['no próximo mês dia 25 eu pago', '2026-12-25'],
    ['mês que vem eu consigo pagar, lá pelo dia 3', '2026-12-03'],
    ['pago em dezembro, no dia 20', '2026-12-20'],
    ['em dezembro, entre o dia 10 e o dia 20', '2026-12-20'],
    ['pago dia 20 em dezembro', '2026-12-20'],
    ['vou pagar dia 20 do 12', '2026-12-20'],
    ['vou pagar dia 20 do mês 12', '2026-12-20'],
    ['dia 20 do mês de dezembro', '2026-12-20'],
    ['em novembro, dia 25', '2026-11-25'],
    ['não consigo em dezembro, pago dia 20', '2026-11-20'],
    ['paguei uma parte em outubro, pago o resto dia 20', '2026-11-20'],
    ['pago dia 20 ou mês que vem', '2026-12-07'],
    ['quinto dia útil de dezembro', '2026-12-07'],
    ['pago no quinto dia útil de janeiro', '2027-01-08'],
    ['primeiro dia útil do 12', '2026-12-01'],
    ['em dezembro, no quinto dia útil', '2026-12-07'],
    ['no fim de dezembro', '2026-12-31'],
    ['no final do mês de dezembro', '2026-12-31'],
    ['na segunda', '2026-11-09'],
    ['segunda, semana que vem', '2026-11-13'],
  ])('reads the month with the day in "%s": %s', (text, date) => {
    expect(early(text)).toBe(date);
  });

  it.each([
    'na segunda quinzena de dezembro',
    'na segunda quinzena do mês que vem',
    'na segunda semana de dezembro',
    'na quarta semana de dezembro',
    'em dezembro, na segunda quinzena',
    'no começo do mês de janeiro',
    'dia 20 do 13',
  ])('reads no date in "%s", so that the day is asked for', (text) => {
    expect(early(text)).toBeNull();
  });

  it('reads the present month, once its tenth has passed, as its end', () => {
    expect(on('2026-11-18')('pago em novembro')).toBe('2026-11-30');
    expect(on('2026-11-18')('pago em dezembro')).toBe('2026-12-10');
  });

  it('counts the business days of the month that still lies ahead', () => {
    expect(on('2026-12-01')('quinto dia útil')).toBe('2026-12-07');
    expect(on('2026-12-07')('quinto dia útil')).toBe('2026-12-07');
    expect(on('2026-12-08')('quinto dia útil')).toBe('2027-01-08');
  });

  it('reads the name of today’s weekday as that day of the next week', () => {
    expect(on('2026-11-23')('segunda')).toBe('2026-11-30');
  });

  const words = fc.constantFrom(
    'pago',
    'sexta',
    'segunda',
    'dia',
    '10',
    '31',
    '5',
    'do',
    'mes',
    'que',
    'vem',
    'hoje',
    'amanha',
    'depois',
    'de',
    'antes',
    'nao',
    'so',
    'quinto',
    'util',
    'dezembro',
    'fevereiro',
    '30/02',
    '29/02',
    '99/99',
    'semana',
    'fim',
    'entre',
    'e',
    'ou',
    'daqui',
    'a',
    'dias',
    '🙏',
  );

  it('never names a day that has passed, or one that does not exist', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 9 }), fc.integer({ min: 0, max: 2000 }), (parts, offset) => {
        const today = addDays('2024-01-01', offset);
        const date = parsePortugueseDate(parts.join(' '), { today, isBusinessDay });
        return date === null || (date >= today && addDays(date, 0) === date);
      }),
      { numRuns: 400 },
    );
  });
});
