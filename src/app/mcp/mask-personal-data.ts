const MASKED: ReadonlySet<string> = new Set([
  'debtorCpf',
  'debtorCnpj',
  'debtorPhone',
  'debtorPhones',
  'debtorEmail',
  'debtorEmails',
  'rightsUrl',
]);

/** The last four characters suffice to recognise a number that somebody reads out. */
function mask(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mask);
  return typeof value === 'string' ? `***${value.slice(-4)}` : value;
}

/** The names of members that people have written. */
const WRITTEN: ReadonlySet<string> = new Set([
  'text',
  'note',
  'reason',
  'comment',
  'description',
  'question',
  'preview',
]);

/** What people write down of themselves and of others. No pattern has an ambiguous repetition. */
const PERSONAL: readonly (readonly [RegExp, string])[] = [
  [/[^\s@"'<>()[\]{},;:=/\\]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, '[e-mail]'],
  [/(?<![\w.-])[\dA-Z]{2}\.?[\dA-Z]{3}\.?[\dA-Z]{3}\/[\dA-Z]{4}-?\d{2}(?![\w-])/gi, '[CNPJ]'],
  [/(?<![\w.-])\d{3}[. ]\d{3}[. ]\d{3}[- ]\d{2}(?![\w-])/g, '[CPF]'],
  [/(?<![\w-])(?:\+?55[\s-]?)?\(?\d{2}\)?[\s-]?9?\d{4}[\s-]?\d{4}(?![\w-])/g, '[telefone]'],
  [/(?<![\w-])9\d{4}[\s-]\d{4}(?![\w-])/g, '[telefone]'],
  [/(?<![\w.,-])\d{9,14}(?![\w-])/g, '[número]'],
];

const hideIn = (text: string): string =>
  PERSONAL.reduce((rest, [pattern, shown]) => rest.replace(pattern, shown), text);

/**
 * Replaces the numbers and addresses of debtors. What a tool returns goes to a language model, often in another country,
 * and no answer about a debt needs them. In what people have written, whatever looks like one is replaced.
 */
export function maskPersonalData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskPersonalData);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (MASKED.has(name)) return [name, mask(member)];
      return [name, WRITTEN.has(name) && typeof member === 'string' ? hideIn(member) : maskPersonalData(member)];
    }),
  );
}
