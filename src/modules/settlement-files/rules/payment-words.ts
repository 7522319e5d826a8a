import { PAYMENT_METHODS, type PaymentMethod } from '../../../kernel/payment-methods.ts';

/** A word longer than this tells nothing, and texts of a file have no bound of their own. */
const LOOKED_AT = 500;

const fold = (text: string): string =>
  text
    .slice(0, LOOKED_AT)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** The first one that matches counts: a Pix that paid a boleto is a Pix, and `depósito em dinheiro` is cash. */
const WORDS: readonly (readonly [method: PaymentMethod, words: RegExp])[] = [
  ['pix', /\b(?:pix|bolepix|qr ?code)\b/],
  ['cash', /\b(?:dinheiro|especie|cash)\b/],
  ['cheque', /\b(?:cheque|chq|ch)\b/],
  ['boleto', /\b(?:boletos?|bloqueto|bol|cobranca|titulos?)\b/],
  ['bank_transfer', /\b(?:ted|doc|tef|transf|transferencia|deposito|dep|credito em conta)\b/],
  ['card', /\b(?:cartao|card|credito|debito|maquininha|visa|master(?:card)?|elo)\b/],
];

/** Returns the method that a text names; null when it names none. */
export function methodInText(text: string): PaymentMethod | null {
  const folded = fold(text);
  return WORDS.find(([, words]) => words.test(folded))?.[0] ?? null;
}

/** Returns the method of a cell for methods, which may have the names of the API too; null for an empty one. */
export function methodOfCell(text: string): PaymentMethod | null {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === '') return null;
  return PAYMENT_METHODS.find((method) => method === trimmed) ?? methodInText(trimmed) ?? 'other';
}
