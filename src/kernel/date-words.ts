import { TENS, UNDER_TWENTY } from './portuguese-numbers.ts';
import { stripAccents } from './portuguese-text.ts';

/** Without accents, like the normalised text that the expressions read. */
const UNITS = [...UNDER_TWENTY, TENS[2]].map(stripAccents);
const NUMBER_WORDS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(UNITS.map((word, index) => [word, index])),
  uma: 1,
  duas: 2,
  catorze: 14,
  primeiro: 1,
  '1o': 1,
  trinta: 30,
  'trinta e um': 31,
  ...Object.fromEntries(UNITS.slice(1, 10).map((word, index) => [`vinte e ${word}`, 21 + index])),
};
export const ORDINALS: Readonly<Record<string, number>> = {
  primeiro: 1,
  segundo: 2,
  terceiro: 3,
  quarto: 4,
  quinto: 5,
  sexto: 6,
  setimo: 7,
  oitavo: 8,
  nono: 9,
  decimo: 10,
};
const MONTHS = [
  'janeiro',
  'fevereiro',
  'marco',
  'abril',
  'maio',
  'junho',
  'julho',
  'agosto',
  'setembro',
  'outubro',
  'novembro',
  'dezembro',
];
export const WEEKDAYS = ['domingo', 'segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado'];

const longestFirst = (words: readonly string[]): string => [...words].sort((a, b) => b.length - a.length).join('|');
export const NUM = `(\\d{1,2}o?|${longestFirst(Object.keys(NUMBER_WORDS))})`;
export const FULL_MONTH = `(${MONTHS.join('|')})`;
export const MONTH = `(${MONTHS.join('|')}|jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)`;
/** A month by its number, as in `dia 20 do 12`. */
export const NUMBERED_MONTH = 'do (?:mes )?(\\d{1,2})';
export const NEXT_MONTH = '(?:(?:d[oe] |no )?(?:mes que vem|proximo mes|outro mes|mes seguinte))';

export const numberOf = (word: string): number => NUMBER_WORDS[word] ?? ORDINALS[word] ?? Number.parseInt(word, 10);
export const monthOf = (word: string): number =>
  /^\d/.test(word) ? Number(word) : MONTHS.findIndex((name) => name.startsWith(word.slice(0, 3))) + 1;
