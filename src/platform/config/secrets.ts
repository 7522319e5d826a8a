import { EVIDENCE_KEY, type Role, type SecretName, type VariableName } from './schema.ts';

type Raw = Readonly<Partial<Record<VariableName, string>>>;

/**
 * The secrets that each role uses, so that a process gets no others. The relay delivers rows and signs nothing. A
 * worker signs links of receipts, decrypts stored credentials and keeps the ledger of persons. The simulated bank of a
 * worker without an API leaves its signed notifications to the API, and uses the secret only where both share a
 * process.
 */
export const SECRETS_OF_ROLES: Readonly<Record<Role, readonly SecretName[]>> = {
  api: [
    'JWT_SECRET',
    'RECEIPT_SECRET',
    'PAYMENT_WEBHOOK_SECRET',
    'MESSAGING_WEBHOOK_SECRET',
    'ENCRYPTION_KEY',
    'PERSON_SECRET',
  ],
  worker: ['RECEIPT_SECRET', 'ENCRYPTION_KEY', 'PERSON_SECRET'],
  relay: [],
};

const SHORTEST = 32;
/** These hold one value each, so a comma is part of the value. */
const SINGLE = ['PERSON_SECRET', 'METRICS_TOKEN', 'DATABASE_API_PASSWORD', 'DATABASE_WORKER_PASSWORD'] as const;
const LISTS = [
  'JWT_SECRET',
  'RECEIPT_SECRET',
  'PAYMENT_WEBHOOK_SECRET',
  'MESSAGING_WEBHOOK_SECRET',
  'ENCRYPTION_KEY',
  'EVIDENCE_KEYS',
] as const;
type CheckedName = (typeof SINGLE)[number] | (typeof LISTS)[number];
const CHECKED_NAMES: readonly CheckedName[] = [...LISTS, ...SINGLE];

const valuesOf = (raw: Raw, name: CheckedName): string[] => {
  const text = raw[name] ?? '';
  const isList = (LISTS as readonly CheckedName[]).includes(name);
  const values = (isList ? text.split(',') : [text]).map((value) => value.trim()).filter((value) => value !== '');
  // The day before a key of evidence is no part of its secret.
  return name === 'EVIDENCE_KEYS' ? values.map((value) => EVIDENCE_KEY.exec(value)?.[2] ?? value) : values;
};

/** Counts characters as people do: an emoji is one character. */
const lengthOf = (value: string): number => [...value].length;

const shortSecrets = (raw: Raw): string[] =>
  CHECKED_NAMES.filter((name) => valuesOf(raw, name).some((value) => lengthOf(value) < SHORTEST)).map((name) => {
    const what = valuesOf(raw, name).length > 1 ? 'each of its values must have' : 'must have';
    return `${name}: ${what} at least ${SHORTEST} characters in production`;
  });

/** With one secret for two purposes, a value that is known or forged for one could be used for the other. */
const equalSecrets = (raw: Raw): string[] => {
  const firstName = new Map<string, CheckedName>();
  const problems = new Set<string>();
  for (const name of CHECKED_NAMES) {
    for (const value of valuesOf(raw, name)) {
      const other = firstName.get(value);
      if (other === undefined) firstName.set(value, name);
      else if (other === name) problems.add(`${name}: holds the same value twice`);
      else problems.add(`${name}: must not hold a value of ${other} in production`);
    }
  }
  return [...problems];
};

/** Reports secrets that could be guessed or reused, for every secret that is set and for all roles. */
export const weakSecrets = (raw: Raw): string[] =>
  raw.NODE_ENV === 'production' ? [...shortSecrets(raw), ...equalSecrets(raw)] : [];
