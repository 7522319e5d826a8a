/** An invoice as two of them are compared: without regard to capitals, and to zeros that a spreadsheet drops. */
export const invoiceName = (invoiceKey: string): string => {
  let zeros = 0;
  while (zeros < invoiceKey.length - 1 && invoiceKey[zeros] === '0') zeros += 1;
  return invoiceKey.slice(zeros);
};

/** The invoice as debts store it beside the written one. */
export const invoiceKeyOf = (invoice: string): string => invoice.trim().toLowerCase();

export const isSameInvoice = (one: string, other: string): boolean =>
  invoiceName(invoiceKeyOf(one)) === invoiceName(invoiceKeyOf(other));

/** Numbers of programs have a width, which is rarely larger. */
const WIDEST = 15;

/** Returns the forms with more zeros in front that a debt may have; none of what is not a number. */
export function widerForms(name: string): string[] {
  if (!/^\d+$/.test(name)) return [];
  const forms: string[] = [];
  for (let length = name.length + 1; length <= WIDEST; length += 1) forms.push(name.padStart(length, '0'));
  return forms;
}

const MAX_WORDS = 60;
const MOST_TOGETHER = 3;
/** What surrounds an invoice in a sentence, and is rarely a part of it. */
const AROUND = new Set('.,;:()[]{}#*\'"!?-_/=');

const trimmed = (word: string): string => {
  let [from, to] = [0, word.length];
  while (from < to && AROUND.has(word[from]!)) from += 1;
  while (to > from && AROUND.has(word[to - 1]!)) to -= 1;
  return word.slice(from, to);
};

/** A number of one or two digits stands in many texts that are about something else, as the number of an instalment. */
const tellsNothing = (word: string): boolean => word === '' || /^\d{1,2}$/.test(invoiceName(word));

/**
 * Returns the parts of a text that may be an invoice: single words, also without a name in front as in `NF:123`, and
 * words that follow each other, because an invoice may have a blank.
 */
export function invoicesInText(text: string): string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  const found = new Set<string>();
  for (const [at, word] of words.entries()) {
    for (const part of word.split(/[:;,()#=]/)) found.add(trimmed(part));
    for (let count = 1; count <= MOST_TOGETHER; count += 1) {
      found.add(trimmed(words.slice(at, at + count).join(' ')));
    }
  }
  return [...found].filter((word) => !tellsNothing(word));
}
