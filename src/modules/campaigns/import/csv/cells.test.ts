import { describe, expect, it } from '@jest/globals';
import { dateOf } from '../../rules/spreadsheet/brazilian-values.ts';
import { valuesOf } from './cells.ts';

describe('the cells of a spreadsheet', () => {
  it.each([
    ['20/11/2026', '2026-11-20'],
    ['9.6.2026', '2026-06-09'],
    ['05/10/26', '2026-10-05'],
    ['05.10.39', '2039-10-05'],
    ['05/10/40', '05/10/40'],
    ['05/10.26', '05/10.26'],
    ['05/10/026', '05/10/026'],
    ['31/09/2026', '2026-09-31'],
  ])('as a date: %s is %s', (cell, date) => expect(dateOf(cell)).toBe(date));

  it.each([
    ['(11) 99876-5432 (mãe)', ['(11) 99876-5432']],
    ['mãe: 11 99876-5432', ['11 99876-5432']],
    ['Cel. (11) 99876-5432 - Ana', ['(11) 99876-5432']],
    ['(11) 99876-5432 / mãe', ['(11) 99876-5432']],
    ['11998765432 pai; 11998765433 mãe', ['11998765432', '11998765433']],
    ['(11) 3333-4444 ramal 5', ['(11) 3333-4444 ramal 5']],
    ['11998765432 11998765433 mãe', ['11998765432 11998765433 mãe']],
    ['mãe', ['mãe']],
  ])('as phones: %s', (cell, phones) => expect(valuesOf(cell, 'debtorPhone')).toEqual(phones));
});
