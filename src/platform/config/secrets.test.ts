import { describe, expect, it } from '@jest/globals';
import { ConfigError, type LoadOptions, loadConfig, type RawEnvironment } from './index.ts';
import { SECRET_NAMES } from './schema.ts';

const kept: LoadOptions = { keptSecret: (name) => `kept-${name}` };
const load = (env: RawEnvironment) => loadConfig(env, kept);
const production = Object.fromEntries(SECRET_NAMES.map((name) => [name, `${name}-of-thirty-two-characters`]));

const problemsOf = (run: () => unknown): string[] => {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

describe('weak configuration in production', () => {
  const long = (text: string) => text.padEnd(32, '.');
  const problems = (env: RawEnvironment, options: LoadOptions = kept) =>
    problemsOf(() => loadConfig({ NODE_ENV: 'production', ...production, ...env }, options));

  it.each([...SECRET_NAMES, 'METRICS_TOKEN'])('%s has at least 32 characters', (name) => {
    const short = 'x'.repeat(31);
    expect(problems({ [name]: short })).toEqual([`${name}: must have at least 32 characters in production`]);
    expect(problems({ [name]: `${short}x` })).toEqual([]);
    expect(problemsOf(() => load({ [name]: short }))).toEqual([]);
  });

  it('each value of a list is checked, also one that only verifies', () => {
    expect(problems({ RECEIPT_SECRET: `${long('new')}, old` })).toEqual([
      'RECEIPT_SECRET: each of its values must have at least 32 characters in production',
    ]);
    // PERSON_SECRET holds one value, so a comma is part of it.
    expect(problems({ PERSON_SECRET: 'sixteen letters,and sixteen more' })).toEqual([]);
  });

  it('no two secrets are equal, at any position of their lists', () => {
    const same = long('same');
    expect(problems({ JWT_SECRET: same, ENCRYPTION_KEY: `${long('new')},${same}` })).toEqual([
      'ENCRYPTION_KEY: must not hold a value of JWT_SECRET in production',
    ]);
    expect(problems({ METRICS_TOKEN: same, PERSON_SECRET: same })).toEqual([
      'METRICS_TOKEN: must not hold a value of PERSON_SECRET in production',
    ]);
    expect(problems({ JWT_SECRET: `${same}, ${same}` })).toEqual(['JWT_SECRET: holds the same value twice']);
    for (const key of [same, `2026-01-01:${same}`]) {
      expect(problems({ JWT_SECRET: same, EVIDENCE_KEYS: key })).toEqual([
        'EVIDENCE_KEYS: must not hold a value of JWT_SECRET in production',
      ]);
    }
    expect(problems({ EVIDENCE_KEYS: `${same},2026-01-01:${same}` })).toEqual([
      'EVIDENCE_KEYS: holds the same value twice',
    ]);
    const all = Object.fromEntries(SECRET_NAMES.map((name) => [name, same]));
    expect(problems({ ...all, METRICS_TOKEN: same })).toHaveLength(6);
    expect(problemsOf(() => load(all))).toEqual([]);
  });

  it('all problems are listed at once, one line each, for every secret that is set, without its value', () => {
    const given = problems(
      { JWT_SECRET: 'hunter2', PAYMENT_WEBHOOK_SECRET: 'hunter2', PUBLIC_URL: 'http://user:hunter2@pay.example.com' },
      { ...kept, roles: ['relay'] },
    );
    expect(given.map((line) => line.split(':')[0])).toEqual([
      'PUBLIC_URL',
      'JWT_SECRET',
      'PAYMENT_WEBHOOK_SECRET',
      'PAYMENT_WEBHOOK_SECRET',
    ]);
    expect(given.join('')).not.toMatch(/hunter2|\n/);
  });

  it.each([
    ['http://pay.example.com', false],
    ['http://10.0.0.7:3000', false],
    ['http://localhost.example.com', false],
    ['http://127.example.com', false],
    ['https://pay.example.com', true],
    ['http://localhost:3000', true],
    ['http://quita.localhost:3000', true],
    ['http://127.1.2.3', true],
    ['http://127.1', true],
    ['http://[::1]:3000', true],
  ])('the address %s is taken: %s', (PUBLIC_URL, taken) => {
    const problem = 'PUBLIC_URL: must begin with https:// in production unless it is on loopback';
    expect(problems({ PUBLIC_URL })).toEqual(taken ? [] : [problem]);
    expect(problemsOf(() => load({ PUBLIC_URL }))).toEqual([]);
  });
});
