import { stripAccents } from '../../../../kernel/portuguese-text.ts';

const PARTICLES = new Set(['da', 'de', 'do', 'das', 'dos', 'e']);

const bare = (word: string): string => stripAccents(word).toLowerCase();

/**
 * Replaces what must not reach a model: CPF, CNPJ and phone numbers, Pix codes, amounts, mail and web addresses, and the
 * name of the debtor.
 */
export const redact = (text: string, debtorName: string): string => {
  const names = new Set(
    debtorName
      .split(/\s+/)
      .map(bare)
      .filter((word) => word.length > 1 && !PARTICLES.has(word)),
  );
  return text
    .normalize('NFC')
    .replace(/\b000201.{20,}?6304[\dA-F]{4}/g, '[pix]')
    .replace(/R\$\s?\p{Nd}[\p{Nd}.,]*/giu, '[valor]')
    .replace(/https?:\/\/\S+/gi, '[link]')
    .replace(/(?<![\w.+-])[\w.+-]+@[\w.-]+/g, '[email]')
    .replace(/\b[\dA-Z]{2}\.?[\dA-Z]{3}\.?[\dA-Z]{3}\/?[\dA-Z]{4}-?\d{2}\b/gi, '[numero]')
    .replace(/\p{Nd}(?:[\s./()+-]{0,3}\p{Nd}){7,}/gu, '[numero]')
    .replace(/\p{L}[\p{L}\p{M}'-]*/gu, (word) => (names.has(bare(word)) ? '[nome]' : word));
};
