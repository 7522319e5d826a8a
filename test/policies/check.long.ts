import { expect, it } from '@jest/globals';
import { checkPolicy } from '../../src/modules/policy/adapters/check/threads/check-threads.ts';
import { loadPolicy } from '../../src/modules/policy/use-cases/load-policy.ts';

const { pack, holidays } = loadPolicy();
const HOURS = 6 * 3_600_000;

it(
  'the engine and the plain reading agree at every boundary of two years, and in a sample of a million',
  async () => {
    const seed = Math.floor(Math.random() * 1e9);
    const from = new Date().toISOString().slice(0, 10);
    const options = { pack, holidays: holidays.rules, from, days: 731, sample: 1_000_000, seed };
    const { decisions, counterexamples } = await checkPolicy(options);
    expect({ seed, counterexamples }).toEqual({ seed, counterexamples: [] });
    expect(decisions).toBeGreaterThan(50_000_000);
  },
  HOURS,
);
