import { addCountedDays, addDays, dateOf, lastDayOfMonth, partsOf, weekday } from './calendar.ts';
import {
  FULL_MONTH,
  MONTH,
  monthOf,
  NEXT_MONTH,
  NUM,
  NUMBERED_MONTH,
  numberOf,
  ORDINALS,
  WEEKDAYS,
} from './date-words.ts';

export interface DateContext {
  /** The debtor's local date. */
  readonly today: string;
  readonly isBusinessDay: (date: string) => boolean;
}

/** Returns the nth business day of a month, or the last day of a month that has fewer business days. */
const nthBusinessDay = (year: number, month: number, nth: number, context: DateContext): string => {
  let date = dateOf(year, month, 1);
  for (let seen = 0, guard = 0; guard < 40; guard += 1, date = addDays(date, 1)) {
    if (context.isBusinessDay(date)) seen += 1;
    if (seen === nth) return date;
  }
  return dateOf(year, month, lastDayOfMonth(year, month));
};

/** Returns the day of the next month, or its first one from a date on. */
const dayOfMonth = (day: number, nextMonth: boolean, { today, from }: ReadContext): string | null => {
  if (day < 1 || day > 31) return null;
  const { year, month, day: first } = partsOf(nextMonth ? today : from);
  return dateOf(year, month + (nextMonth || day < first ? 1 : 0), day);
};

const inMonth = (day: number, month: number, year: number | null, today: string): string | null => {
  if (day < 1 || day > 31 || month < 1 || month > 12) return null;
  const now = partsOf(today).year;
  if (year !== null) return dateOf(year < 100 ? 2000 + year : year, month, day);
  const date = dateOf(now, month, day);
  return date < today ? dateOf(now + 1, month, day) : date;
};

/** A month that next comes after so many days is rather the one that has just passed: `paguei metade em outubro`. */
const FAR_DAYS = 270;

/** A month alone is read as its tenth, or as its end once that has passed. */
const monthAlone = (month: number, today: string): string | null => {
  const end = inMonth(31, month, null, today);
  if (end === null || end > addDays(today, FAR_DAYS)) return null;
  const tenth = `${end.slice(0, -2)}10`;
  return tenth < today ? end : tenth;
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

export interface ReadContext extends DateContext {
  /** The earliest date of a day without a month: today, or the first day of a month that was named before it. */
  readonly from: string;
}

type Reader = (match: RegExpExecArray, context: ReadContext) => string | null;

const businessDayReader: Reader = ([, after, nth, nextMonth, name, number], context) => {
  const { today, from } = context;
  const inMonthOf = (date: string, further: number): string => {
    const { year, month } = partsOf(date);
    return shiftAfter(after, nthBusinessDay(year, month + further, numberOf(nth!), context), context, true);
  };
  if (nextMonth !== undefined) return inMonthOf(today, 1);
  const named = name ?? number;
  if (named !== undefined) {
    const end = inMonth(31, monthOf(named), null, today);
    return end === null ? null : inMonthOf(end, 0);
  }
  const first = inMonthOf(from, 0);
  return first >= from ? first : inMonthOf(from, 1);
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

/**
 * The expressions are tried in this order, and no expression reads text again that an earlier one has read.
 * One that names only a month says so, because a day that is named after it is a day of that month.
 */
export const DATE_EXPRESSIONS: readonly (readonly [pattern: RegExp, read: Reader, names?: 'month'])[] = [
  [/depois de amanha|depois damanha/, (_, { today }) => addDays(today, 2)],
  [
    new RegExp(
      `(?:(depois|apos|passando|passado) (?:d?o |de )?)?(?:d?o |no |ate o )?\\b(\\d{1,2}o?|${Object.keys(ORDINALS).join('|')}) dia util(?: ${NEXT_MONTH}()| d?e ${MONTH}\\b| ${NUMBERED_MONTH}\\b|)`,
    ),
    businessDayReader,
  ],
  [
    /\b(\d{1,2})\/(\d{1,2})(?:\/(\d{2,4}))?/,
    (m, { today }) => inMonth(+m[1]!, +m[2]!, m[3] === undefined ? null : +m[3], today),
  ],
  [
    new RegExp(`\\b${NUM} (?:do mes )?d?e ?${MONTH}\\b(?: de (\\d{4}))?`),
    (m, { today }) => inMonth(numberOf(m[1]!), monthOf(m[2]!), m[3] === undefined ? null : +m[3], today),
  ],
  [
    new RegExp(`\\bdias? ${NUM} (?:em ${FULL_MONTH}|${NUMBERED_MONTH})\\b`),
    (m, { today }) => inMonth(numberOf(m[1]!), monthOf((m[2] ?? m[3])!), null, today),
  ],
  [
    new RegExp(`\\bentre (?:os? )?(?:dias? )?${NUM} e (?:o )?(?:dia )?${NUM}\\b`),
    (m, context) => dayOfMonth(numberOf(m[2]!), false, context),
  ],
  [
    new RegExp(
      `\\bdias? (?!(?:vinte|trinta) e )${NUM} (?:ou|a|ao|e) (?:o )?(?:dia )?${NUM}\\b(?! (?:vez|parcel|real|reais|hora|conto))`,
    ),
    (m, context) => dayOfMonth(numberOf(m[2]!), numberOf(m[2]!) < numberOf(m[1]!), context),
  ],
  [
    new RegExp(`\\bdias? ${NUM}\\b(?: (?:agora )?${NEXT_MONTH}()|)`),
    (m, context) => dayOfMonth(numberOf(m[1]!), m[2] !== undefined, context),
  ],
  [
    new RegExp(
      `(?<!\\b(?:ha|faz|tem|fazem|todos os|todo|deve|estou|a mais de) )\\b(?!uma? )${NUM} (dias?|semanas?|mes(?:es)?)\\b( uteis)?(?! atras| que (?:paguei|esta|estou|nao))`,
    ),
    spanReader,
  ],
  [/\b(?:daqui(?: a)?|em|mais|dentro de|da|de|prazo de) (uma?) (dia|semana|mes)\b( uteis)?/, spanReader],
  [/\b(?:uns|alguns) dias\b/, () => null],
  // A part of a month names no day, and `segunda` in it is no Monday. `Segunda semana que vem` is one.
  [
    new RegExp(
      `\\b(?:primeira|segunda|terceira|quarta|ultima) (?:quinzena|semana(?! que (?:vem|entra)))\\b(?: ${NEXT_MONTH})?`,
    ),
    () => null,
  ],
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
  [
    new RegExp(`\\b(?:fim|final|finalzinho|ultimo dia) (?:d?o mes )?de ${FULL_MONTH}\\b`),
    (m, { today }) => inMonth(31, monthOf(m[1]!), null, today),
  ],
  [/\b(?:fim|final|finalzinho|ultimo dia) (?:d[oe] |desse |deste )?mes\b/, (_, { today }) => monthEnd(false, today)],
  [new RegExp(`\\b(?:comeco|inicio|comecinho|virada|metade|meio|quinzena) do mes de ${FULL_MONTH}\\b`), () => null],
  [
    /\b(?:comeco|inicio|comecinho|virada) (?:d[oe] )?(?:mes(?: que vem)?|proximo mes|outro mes)\b/,
    (_, { today }) => monthStart(today),
  ],
  [/\b(?:metade|meio|quinzena) d[oe] mes\b/, (_, context) => dayOfMonth(15, false, context)],
  [
    /\b(?:mes que vem|proximo mes|outro mes|mes seguinte)\b/,
    (_, context) => {
      const { year, month } = partsOf(context.today);
      return nthBusinessDay(year, month + 1, 5, context);
    },
    'month',
  ],
  [new RegExp(`\\bem ${FULL_MONTH}\\b`), (m, { today }) => monthAlone(monthOf(m[1]!), today), 'month'],
  [/\b(?:o |no |do )?natal\b/, (_, { today }) => inMonth(25, 12, null, today)],
  [/(?<!de )\bamanha\b/, (_, { today }) => addDays(today, 1)],
  [
    /\b(?:hoje|daqui a pouco|daqui pouco|mais tarde|de noite|a noite|de tarde|a tarde|daqui a (?:meia|\d+) horas?|daqui uma hora|agora mesmo|agora)\b/,
    (_, { today }) => today,
  ],
];
