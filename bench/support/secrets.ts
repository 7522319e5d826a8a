import { SECRET_NAMES } from '../../src/platform/config/index.ts';

/** Production refuses short secrets, so the secrets of a benchmark are long too. */
const secretOf = (name: string): string => `${name.toLowerCase()}-of-the-benchmark-0123456789`;

export const BENCH_SECRETS: Readonly<Record<string, string>> = Object.fromEntries(
  SECRET_NAMES.map((name) => [name, secretOf(name)]),
);

export const BENCH_WEBHOOK_SECRET = secretOf('PAYMENT_WEBHOOK_SECRET');
