const MASKED: ReadonlySet<string> = new Set([
  'debtorCpf',
  'debtorCnpj',
  'debtorPhone',
  'debtorPhones',
  'debtorEmail',
  'debtorEmails',
]);

/** The last four characters suffice to recognise a number that somebody reads out. */
function mask(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mask);
  return typeof value === 'string' ? `***${value.slice(-4)}` : value;
}

/**
 * Replaces the numbers and addresses of debtors. What a tool returns goes to a language model, often in another country,
 * and no answer about a debt needs them.
 */
export function maskPersonalData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskPersonalData);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, MASKED.has(name) ? mask(member) : maskPersonalData(member)]),
  );
}
