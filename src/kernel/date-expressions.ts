import { addCountedDays, addDays, dateOf, lastDayOfMonth, partsOf, weekday } from './calendar.ts';
import { TENS, UNDER_TWENTY } from './portuguese-numbers.ts';
import { stripAccents } from './portuguese-text.ts';

export interface DateContext {
  /** The debtor's local date. */
  readonly today: string;
  readonly isBusinessDay: (date: string) => boolean;
}

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
const ORDINALS: Readonly<Record<string, number>> = {
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
const WEEKDAYS = ['domingo', 'segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado'];

const longestFirst = (words: readonly string[]): string => [...words].sort((a, b) => b.length - a.length).join('|');
const NUM = `(\\d{1,2}o?|${longestFirst(Object.keys(NUMBER_WORDS))})`;
const MONTH = `(${MONTHS.join('|')}|jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)`;
const NEXT_MONTH = '(?:(?:d[oe] |no )?(?:mes que vem|proximo mes|outro mes|mes seguinte))';

const numberOf = (word: string): number => NUMBER_WORDS[word] ?? ORDINALS[word] ?? Number.parseInt(word, 10);
const monthOf = (word: string): number => MONTHS.findIndex((name) => name.startsWith(word.slice(0, 3))) + 1;

/** Returns the nth business day of a month, or the last day of a month that has fewer business days. */
const nthBusinessDay = (year: number, month: number, nth: number, context: DateContext): string => {
  let date = dateOf(year, month, 1);
  for (let seen = 0, guard = 0; guard < 40; guard += 1, date = addDays(date, 1)) {
    if (context.isBusinessDay(date)) seen += 1;
    if (seen === nth) return date;
  }
  return dateOf(year, month, lastDayOfMonth(year, month));
};

const dayOfMonth = (day: number, nextMonth: boolean, today: string): string | null => {
  if (day < 1 || day > 31) return null;
  const { year, month, day: now } = partsOf(today);
  return dateOf(year, month + (nextMonth || day < now ? 1 : 0), day);
};

const inMonth = (day: number, month: number, year: number | null, today: string): string | null => {
  if (day < 1 || day > 31 || month < 1 || month > 12) return null;
  const now = partsOf(today).year;
  if (year !== null) return dateOf(year < 100 ? 2000 + year : year, month, day);
  const date = dateOf(now, month, day);
  return date < today ? dateOf(now + 1, month, day) : date;
};

const namedDay = (name: string, how: string, today: string): string => {
  const ahead = (WEEKDAYS.indexOf(name) - weekday(today) + 7) % 7;
  if (/semana que vem|proxima semana|outra semana/.test(how)) {
    return addDays(endOfNextWeek(today), ((WEEKDAYS.indexOf(name) + 6) % 7) - 6);
  }
  const next = ahead === 0 && !/\b(?:nessa|nesta|essa|esta|hoje)\b/.test(how) ? 7 : ahead;
  return addDays(today, /\boutra\b/.test(how) ? next + 7 : next);
};

export const later = (a: string, b: string): string => [a, b].sort()[1]!;

/** A week ends on Sunday, as debtors count weeks. */
const endOfWeek = (today: string): string => addDays(today, (7 - weekday(today)) % 7);
const endOfNextWeek = (today: string): string => addDays(endOfWeek(today), 7);

/** A promise that names only a week is read as its last business day, the reading that gives the debtor most time. */
const fridayOf = (sunday: string, context: DateContext): string => {
  let date = addDays(sunday, -2);
  for (let guard = 0; guard < 4 && !context.isBusinessDay(date); guard += 1) date = addDays(date, -1);
  return later(date, context.today);
};

type Reader = (match: RegExpExecArray, context: DateContext) => string | null;

const businessDayReader: Reader = (match, context) => {
  const nth = numberOf(match[2]!);
  const { year, month } = partsOf(context.today);
  if (match[3] !== undefined) return shiftAfter(match[1], nthBusinessDay(year, month + 1, nth, context), context, true);
  const inThisMonth = shiftAfter(match[1], nthBusinessDay(year, month, nth, context), context, true);
  return inThisMonth >= context.today
    ? inThisMonth
    : shiftAfter(match[1], nthBusinessDay(year, month + 1, nth, context), context, true);
};

const shiftAfter = (word: string | undefined, date: string, context: DateContext, business: boolean): string =>
  word === undefined ? date : business ? addCountedDays(date, 1, context.isBusinessDay) : addDays(date, 1);

const spanReader: Reader = (match, context) => {
  const count = numberOf(match[1]!);
  if (match[2]!.startsWith('dia'))
    return match[3] === undefined
      ? addDays(context.today, count)
      : addCountedDays(context.today, count, context.isBusinessDay);
  if (match[2]!.startsWith('semana')) return addDays(context.today, 7 * count);
  const { year, month, day } = partsOf(context.today);
  return dateOf(year, month + count, day);
};

const monthEnd = (next: boolean, today: string): string => {
  const { year, month } = partsOf(today);
  return dateOf(year, month + (next ? 1 : 0), 31);
};

const monthStart = (today: string): string => {
  const { year, month } = partsOf(today);
  return dateOf(year, month + 1, 5);
};

/** The expressions are tried in this order, and no expression reads text again that an earlier one has read. */
export const DATE_EXPRESSIONS: readonly (readonly [RegExp, Reader])[] = [
  [/depois de amanha|depois damanha/, (_, { today }) => addDays(today, 2)],
  [
    new RegExp(
      `(?:(depois|apos|passando|passado) (?:d?o |de )?)?(?:d?o |no |ate o )?\\b(\\d{1,2}o?|${Object.keys(ORDINALS).join('|')}) dia util(?: ${NEXT_MONTH}()|)`,
    ),
    businessDayReader,
  ],
  [
    /\b(\d{1,2})\/(\d{1,2})(?:\/(\d{2,4}))?/,
    (m, { today }) => inMonth(+m[1]!, +m[2]!, m[3] === undefined ? null : +m[3], today),
  ],
  [
    new RegExp(`\\b${NUM} d?e ?${MONTH}\\b(?: de (\\d{4}))?`),
    (m, { today }) => inMonth(numberOf(m[1]!), monthOf(m[2]!), m[3] === undefined ? null : +m[3], today),
  ],
  [
    new RegExp(`\\bentre (?:os? )?(?:dias? )?${NUM} e (?:o )?(?:dia )?${NUM}\\b`),
    (m, { today }) => dayOfMonth(numberOf(m[2]!), false, today),
  ],
  [
    new RegExp(
      `\\bdias? (?!(?:vinte|trinta) e )${NUM} (?:ou|a|ao|e) (?:o )?(?:dia )?${NUM}\\b(?! (?:vez|parcel|real|reais|hora|conto))`,
    ),
    (m, { today }) => dayOfMonth(numberOf(m[2]!), numberOf(m[2]!) < numberOf(m[1]!), today),
  ],
  [
    new RegExp(`\\bdias? ${NUM}\\b(?: (?:agora )?${NEXT_MONTH}()|)`),
    (m, { today }) => dayOfMonth(numberOf(m[1]!), m[2] !== undefined, today),
  ],
  [
    new RegExp(
      `(?<!\\b(?:ha|faz|tem|fazem|todos os|todo|deve|estou|a mais de) )\\b(?!uma? )${NUM} (dias?|semanas?|mes(?:es)?)\\b( uteis)?(?! atras| que (?:paguei|esta|estou|nao))`,
    ),
    spanReader,
  ],
  [/\b(?:daqui(?: a)?|em|mais|dentro de|da|de|prazo de) (uma?) (dia|semana|mes)\b( uteis)?/, spanReader],
  [/\b(?:uns|alguns) dias\b/, () => null],
  [/\b([2-6])[ao] ?feira\b/, (m, { today }) => namedDay(WEEKDAYS[+m[1]! - 1]!, '', today)],
  [
    new RegExp(
      `\\b(?:semana que vem|proxima semana|outra semana)(?: (?:n?a|no|ate|de|ja|la|pra|para|pela|pelo)){0,2} (${WEEKDAYS.join('|')})\\b(?: ?feira)?`,
    ),
    (m, { today }) => namedDay(m[1]!, 'semana que vem', today),
  ],
  [
    new RegExp(
      `(?:\\b((?:n?essa|n?esta|d?essa|outra|proxima|na outra) ))?\\b(${WEEKDAYS.join('|')})\\b(?! (?:via|vez|parcela|chance|opcao|pessoa|guerra|mao|divida|mensagem|cobranca|conta|fatura|tentativa|categoria))(?: ?feira)?( (?:da|na) (?:semana que vem|proxima semana|outra semana))?`,
    ),
    (m, { today }) => namedDay(m[2]!, `${m[1] ?? ''} ${m[3] ?? ''}`, today),
  ],
  [
    /\b(?:semana que vem|proxima semana|outra semana|semana que entra)\b/,
    (_, context) => fridayOf(endOfNextWeek(context.today), context),
  ],
  [/\b(?:fim|final) (?:de|da) semana\b/, (_, { today }) => endOfWeek(today)],
  [
    /\b(?:n?essa|n?esta|ainda essa|fim dessa|final dessa) semana\b/,
    (_, context) => fridayOf(endOfWeek(context.today), context),
  ],
  [
    /\b(?:fim|final|ultimo dia) (?:d?o |de )?(?:mes que vem|proximo mes|outro mes)\b/,
    (_, { today }) => monthEnd(true, today),
  ],
  [/\b(?:fim|final|finalzinho|ultimo dia) (?:d[oe] |desse |deste )?mes\b/, (_, { today }) => monthEnd(false, today)],
  [
    /\b(?:comeco|inicio|comecinho|virada) (?:d[oe] )?(?:mes(?: que vem)?|proximo mes|outro mes)\b/,
    (_, { today }) => monthStart(today),
  ],
  [/\b(?:metade|meio|quinzena) d[oe] mes\b/, (_, { today }) => dayOfMonth(15, false, today)],
  [
    /\b(?:mes que vem|proximo mes|outro mes|mes seguinte)\b/,
    (_, context) => {
      const { year, month } = partsOf(context.today);
      return nthBusinessDay(year, month + 1, 5, context);
    },
  ],
  [new RegExp(`\\bem (${MONTHS.join('|')})\\b`), (m, { today }) => inMonth(10, monthOf(m[1]!), null, today)],
  [/\b(?:o |no |do )?natal\b/, (_, { today }) => inMonth(25, 12, null, today)],
  [/(?<!de )\bamanha\b/, (_, { today }) => addDays(today, 1)],
  [
    /\b(?:hoje|daqui a pouco|daqui pouco|mais tarde|de noite|a noite|de tarde|a tarde|daqui a (?:meia|\d+) horas?|daqui uma hora|agora mesmo|agora)\b/,
    (_, { today }) => today,
  ],
];
