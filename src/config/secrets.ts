import type { Role } from './roles.ts';
import type { SecretName, VariableName } from './schema.ts';

type Raw = Readonly<Partial<Record<VariableName, string>>>;

/**
 * The secrets that a role works with, so that a process is given no others. The relay hands rows over and signs nothing;
 * a worker signs links of receipts, opens stored credentials and keeps the ledger of persons. The simulated bank of a
 * worker without an API leaves its signed notifications to the API, and takes the secret only where both share a process.
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
/** One value each: a comma is a letter of it. */
const SINGLE = ['PERSON_SECRET', 'METRICS_TOKEN'] as const;
const LISTS = [
  'JWT_SECRET',
  'RECEIPT_SECRET',
  'PAYMENT_WEBHOOK_SECRET',
  'MESSAGING_WEBHOOK_SECRET',
  'ENCRYPTION_KEY',
] as const;
type Guarded = (typeof SINGLE)[number] | (typeof LISTS)[number];
const GUARDED: readonly Guarded[] = [...LISTS, ...SINGLE];

const valuesOf = (raw: Raw, name: Guarded): string[] => {
  const text = raw[name] ?? '';
  const isList = (LISTS as readonly Guarded[]).includes(name);
  return (isList ? text.split(',') : [text]).map((value) => value.trim()).filter((value) => value !== '');
};

/** Characters as people count them: an emoji is one. */
const lengthOf = (value: string): number => [...value].length;

const shortOnes = (raw: Raw): string[] =>
  GUARDED.filter((name) => valuesOf(raw, name).some((value) => lengthOf(value) < SHORTEST)).map((name) => {
    const what = valuesOf(raw, name).length > 1 ? 'each of its values must have' : 'must have';
    return `${name}: ${what} at least ${SHORTEST} characters in production`;
  });

/** A secret that serves two purposes lets what is known or forged for the one be used for the other. */
const equalOnes = (raw: Raw): string[] => {
  const firstName = new Map<string, Guarded>();
  const problems = new Set<string>();
  for (const name of GUARDED) {
    for (const value of valuesOf(raw, name)) {
      const other = firstName.get(value);
      if (other === undefined) firstName.set(value, name);
      else if (other === name) problems.add(`${name}: holds the same value twice`);
      else problems.add(`${name}: must not hold a value of ${other} in production`);
    }
  }
  return [...problems];
};

/** What a stranger could guess or reuse: said for every secret that is set, whichever roles this process has. */
export const weakSecrets = (raw: Raw): string[] =>
  raw.NODE_ENV === 'production' ? [...shortOnes(raw), ...equalOnes(raw)] : [];
