import type { Told } from '../../../testing/checker/log.ts';

/** Returns what a message tells its reader about an agreement, or null when that is nothing. */
export function toldIn(text: string): Told | null {
  const protocol = /Fechamos o acordo (AC-[\w-]+)/.exec(text)?.[1];
  if (protocol !== undefined) return { kind: 'agreed', protocol };
  const instalment = /parcela (\d+) de \d+ do seu acordo/.exec(text)?.[1];
  if (instalment === undefined) return null;
  const kind = text.includes('venceu em') ? 'warning' : text.includes('vence amanhã') ? 'day_before' : 'due_day';
  return { kind, instalment: Number(instalment) };
}

/** Returns the numbers of the offers that a message lists, the one with the fewest instalments first. */
export const offersIn = (text: string): readonly number[] =>
  [...text.matchAll(/Opção (\d+): [^\n]*/g)]
    .map(([line, number]) => ({
      number: Number(number),
      instalments: line.includes('à vista') ? 1 : Number(/(\d+) parcelas? de/.exec(line)?.[1] ?? 2),
    }))
    .toSorted((one, other) => one.instalments - other.instalments)
    .map(({ number }) => number);

/** Returns the first amount that a page asks for, in centavos. */
export function amountOn(page: string): number | null {
  const amount = /<p class="amount">([^<]*)</.exec(page)?.[1];
  return amount === undefined ? null : Number(amount.replace(/\D/g, ''));
}
