import { addDays } from './calendar.ts';
import { DATE_EXPRESSIONS, type DateContext, later, type ReadContext } from './date-expressions.ts';
import { NEXT_MONTH, NUM } from './date-words.ts';
import { normalizePortuguese } from './portuguese-text.ts';

export type { DateContext };

interface Found {
  readonly start: number;
  readonly end: number;
  readonly read: (context: ReadContext) => string | null;
  /** Only a month was named, so that a day which is named after it is a day of that month. */
  readonly isMonth: boolean;
}

/** The expressions are built when the file is loaded, so that `npm run check` can examine them. */
const EVERY_DATE = DATE_EXPRESSIONS.map(([pattern, read, names]) => ({
  pattern: new RegExp(pattern.source, 'g'),
  read,
  isMonth: names === 'month',
}));

/** Finds every date, and blanks the text of each, so that `dia 10 de dezembro` is not read again as `dia 10`. */
const findDates = (text: string): Found[] => {
  const found: Found[] = [];
  let rest = text;
  for (const { pattern, read, isMonth } of EVERY_DATE) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(rest); match !== null; match = pattern.exec(rest)) {
      const matched = match;
      const end = match.index + match[0].length;
      found.push({ start: match.index, end, read: (context) => read(matched, context), isMonth });
      rest = rest.slice(0, match.index) + '#'.repeat(match[0].length) + rest.slice(end);
      pattern.lastIndex = end;
    }
  }
  return found.sort((a, b) => a.start - b.start);
};

const wordsBefore = (text: string, at: number, count: number): string =>
  text.slice(0, at).trim().split(' ').slice(-count).join(' ');
const wordsAfter = (text: string, at: number, count: number): string =>
  text.slice(at).trim().split(' ').slice(0, count).join(' ');

const isPast = (before: string): boolean =>
  /\b(?:venc\w+|paguei|pagou|comprei|desde|fiz|mandei|enviei|falei|recebi|cobraram|foi|era)\b(?: (?:no|em|na|dia|o|a|foi|desde|ja|isso)){0,3}$/.test(
    before,
  );

const isRefused = (before: string, after: string): boolean => {
  if (/^nao\b/.test(after) && !/^nao (?:falho|vou falhar|esqueco|passa)/.test(after)) return true;
  if (/\bnao\b/.test(before) && /\bantes (?:d[eoa] ?)?$/.test(before)) return false;
  const tail = before.split(/\b(?:so|somente|mas|porem|apenas|pago|vou|consigo sim|e)\b/).pop()!;
  return /\bnao\b/.test(tail);
};

/** `depois do dia 10` means the next day, `antes de sexta` the day before, `não consigo antes do dia 10` that day. */
const shifted = (date: string, before: string, today: string): string => {
  if (/\b(?:depois|apos|passando|passar|passado)(?: (?:d[eoa]s?|o|a))?$/.test(before)) return addDays(date, 1);
  if (/\bantes(?: (?:d[eoa]|ate))?$/.test(before) && !/\bnao\b/.test(before)) {
    return later(addDays(date, -1), today);
  }
  return date;
};

interface Said {
  readonly before: string;
  readonly date: string | null;
  readonly isMonth: boolean;
}

/** Reads what was found in the order of the text: a day that follows a month without one is a day of that month. */
function readInOrder(usable: readonly { readonly found: Found; readonly before: string }[], context: DateContext) {
  const { today } = context;
  let from = today;
  return usable.map(({ found: { read, isMonth }, before }): Said => {
    const date = read({ ...context, from });
    if (isMonth && date !== null) from = later(today, `${date.slice(0, -2)}01`);
    return { before, date, isMonth };
  });
}

/** A month says nothing more once a day of it is named, or a part of it that names no day. */
const isMadePrecise = ({ isMonth, date }: Said, next: Said | undefined): boolean =>
  isMonth && next !== undefined && (next.date === null || next.date.slice(0, -3) === date?.slice(0, -3));

const ENDS_WITH_DAY = new RegExp(`\\bdias? ${NUM}$`);
const BEGINS_WITH_MONTH = new RegExp(`^${NEXT_MONTH}\\b`);

/** Splits a text where something else may begin. `Dia 20, mês que vem` is one date in spite of its comma. */
function clausesOf(text: string): string[] {
  const clauses: string[] = [];
  for (const clause of text.split(/[;!\n]|[,.](?!\d)/).map(normalizePortuguese)) {
    const before = clauses.at(-1) ?? '';
    if (ENDS_WITH_DAY.test(before) && BEGINS_WITH_MONTH.test(clause)) clauses.splice(-1, 1, `${before} ${clause}`);
    else clauses.push(clause);
  }
  return clauses;
}

/**
 * Returns the local date that a debtor names for the payment, or null. Of several dates the latest counts, so that no
 * contact comes too early. `no pagamento` and `quando eu receber` name no date.
 */
export const parsePortugueseDate = (text: string, context: DateContext): string | null => {
  const found = clausesOf(text)
    .flatMap((clause) =>
      findDates(clause).map((each) => ({
        found: each,
        before: wordsBefore(clause, each.start, 6),
        after: wordsAfter(clause, each.end, 3),
      })),
    )
    .filter(({ before, after }) => !isPast(before) && !isRefused(before, after));
  const said = readInOrder(found, context);
  const usable = said.filter((each, at) => each.date !== null && !isMadePrecise(each, said[at + 1]));
  const promised = usable.filter(
    ({ before }) => !/\b(?:recebo|receber|salario|cai|cair|entra)\b(?: \w+){0,2}$/.test(before),
  );
  const dates = (promised.length > 0 ? promised : usable)
    .flatMap(({ date, before }) => (date === null ? [] : [shifted(date, before, context.today)]))
    .filter((date) => date >= context.today);
  return dates.sort().at(-1) ?? null;
};
