import { MAX_CENTAVOS } from '../../../../kernel/money.ts';
import { UNDER_TWENTY } from '../../../../kernel/portuguese-numbers.ts';
import { stripAccents, withoutItalics } from '../../../../kernel/portuguese-text.ts';
import { offerPattern } from './offer-words.ts';
import { readable } from './spelling.ts';

const PROPOSES = offerPattern('proposes');

/** Digits as people write amounts, with their currency, and `mil` where it follows. A number of instalments (3x) or a percentage is no amount. */
const AMOUNT = /(?:r\$ {0,3})?(?<![\w.,/])(\d[\d.,]{0,14})(?![\w%/])( {1,2}mil\b)?/gi;
/** 200, 1500,50, 1.500,00, 1.500 and, as some phones write it, 150.50. */
const WRITTEN = /^(?:(\d{1,3}(?:\.\d{3}){1,2})|(\d{1,8}))(?:,(\d{1,2})|\.(\d{2}))?$/;
/** What else is counted: instalments, and days of a month. */
const COUNTED = /(?<![\w.,/])\d{1,2} {0,2}(?=(?:x|vezes|parcelas|presta[cç][oõ]es|mensalidades)\b)/gi;
const NAMED_DAY = /\bdia \d{1,2}(?![\w.,/])/gi;
const A_MONTH = /\/ {0,3}m[eê]s\b/gi;
/** Everybody who proposes names one amount; a message with more is a story. */
const MAX_AMOUNTS = 9;

/** Reads an amount as it is written, in centavos; null for what nobody could be sure of. */
export function writtenCentavos(text: string): number | null {
  const match = WRITTEN.exec(text.replace(/[.,]$/, ''));
  if (match === null) return null;
  const [, grouped, plain, comma, point] = match;
  const reais = Number((grouped ?? plain)!.replaceAll('.', ''));
  const centavos = reais * 100 + Number((comma ?? point ?? '').padEnd(2, '0'));
  return centavos > 0 && centavos <= MAX_CENTAVOS ? centavos : null;
}

const WORD_VALUES: Readonly<Record<string, number>> = {
  dez: 10,
  quinze: 15,
  vinte: 20,
  trinta: 30,
  quarenta: 40,
  cinquenta: 50,
  sessenta: 60,
  setenta: 70,
  oitenta: 80,
  noventa: 90,
  cem: 100,
  cento: 100,
  duzentos: 200,
  trezentos: 300,
  quatrocentos: 400,
  quinhentos: 500,
  seiscentos: 600,
  setecentos: 700,
  oitocentos: 800,
  novecentos: 900,
  mil: 1_000,
};

/** What may count the thousands before `mil`, by value. The accents are gone by then. */
const THOUSANDS = UNDER_TWENTY.map(stripAccents);

interface WithAmounts {
  /** The message in the form that the rules read, each amount as `quantia0`, `quantia1` and so on. */
  readonly text: string;
  readonly centavos: readonly number[];
}

/** Returns the message with its amounts, or null when it has too many, or one that cannot be read. */
function withAmounts(message: string): WithAmounts | null {
  const centavos: number[] = [];
  let isReadable = true;
  const perMonth = withoutItalics(message.normalize('NFKC'))
    .replace(A_MONTH, ' por mês')
    .replace(COUNTED, 'contagem0 ')
    .replace(NAMED_DAY, 'naquele dia ');
  const digits = perMonth.replace(AMOUNT, (_, written: string, thousands?: string) => {
    const single = writtenCentavos(written);
    const amount = single === null || thousands === undefined ? single : single * 1_000;
    if (amount === null || amount > MAX_CENTAVOS) isReadable = false;
    centavos.push(amount ?? 0);
    return ` quantia${centavos.length - 1} `;
  });
  const words = readable(digits).split(' ');
  const text: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const value = WORD_VALUES[words[at]!];
    if (value === undefined) {
      text.push(words[at]!);
      continue;
    }
    const more = words[at + 1] === 'e' ? WORD_VALUES[words[at + 2] ?? ''] : undefined;
    // Only a smaller value goes on with a larger one: "cento e cinquenta", and not "vinte e cem".
    const goesOn = more !== undefined && more < value;
    const counted = words[at] === 'mil' ? THOUSANDS.indexOf(text.at(-1) ?? '') : -1;
    if (counted > 0) text.pop();
    const whole = counted > 0 ? counted * value : value;
    centavos.push((goesOn ? whole + more : whole) * 100);
    text.push(`quantia${centavos.length - 1}`);
    if (goesOn) at += 2;
  }
  return isReadable && centavos.length <= MAX_AMOUNTS ? { text: text.join(' '), centavos } : null;
}

export interface MonthlyAmount {
  readonly centavos: number;
  /** What the message says beside it. */
  readonly beside: string;
}

/** Longer messages tell more than an amount, and a person understands them better. */
export const MAX_PROPOSAL_LENGTH = 400;

/** Returns the amount that the debtor says can be paid each month; null when the message names none, or several. */
export function monthlyProposal(message: string): MonthlyAmount | null {
  if (message.length > MAX_PROPOSAL_LENGTH) return null;
  const amounts = withAmounts(message);
  if (amounts === null) return null;
  const proposed = new Set<number>();
  for (const [said] of amounts.text.matchAll(PROPOSES)) {
    for (const [, index] of said.matchAll(/quantia(\d)/g)) proposed.add(amounts.centavos[Number(index)]!);
  }
  const [only] = proposed;
  if (proposed.size !== 1) return null;
  const beside = amounts.text
    .replace(PROPOSES, ' ')
    .replace(/quantia\d|contagem0 (?:x|vezes|parcelas|prestacoes|mensalidades)|naquele dia/g, ' ');
  return { centavos: only!, beside: beside.trim() };
}
