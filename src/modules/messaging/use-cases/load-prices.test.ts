import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { freeEachMonth } from '../rules/message-prices.ts';
import { loadPrices } from './load-prices.ts';

const shipped = readFileSync(new URL('../../../../policies/prices.json', import.meta.url), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'quita-prices-'));
afterAll(() => rmSync(folder, { recursive: true }));

const load = (content: string) => {
  const path = join(folder, 'prices.json');
  writeFileSync(path, content);
  return loadPrices(pathToFileURL(path));
};

interface List {
  version: string;
  prices: { channel: string; microReais: unknown; kinds?: Record<string, { microReais: unknown }> }[];
}
/** The shipped list with something changed. */
const changed = (change: (list: List) => void): string => {
  const list = JSON.parse(shipped) as List;
  change(list);
  return JSON.stringify(list);
};

describe('the list of prices', () => {
  it('that is shipped is valid, and without kinds nothing is free', () => {
    expect(freeEachMonth(load(shipped))).toBeGreaterThan(0);
    const without = changed(({ prices }) => {
      delete prices[0]!.kinds;
    });
    expect(freeEachMonth(load(without))).toBe(0);
  });

  it.each<[string, (list: List) => void, RegExp]>([
    [
      'with a price in reais',
      ({ prices }) => Object.assign(prices[0]!, { microReais: 0.04 }),
      /\/prices\/0\/microReais/,
    ],
    ['with a negative price', ({ prices }) => Object.assign(prices[0]!, { microReais: -1 }), /\/prices\/0\/microReais/],
    [
      'with a kind that nobody knows',
      ({ prices }) => Object.assign(prices[0]!, { kinds: { services: { microReais: 1 } } }),
      /\/prices\/0\/kinds/,
    ],
    ['with a channel twice', ({ prices }) => prices.push(prices[0]!), /\/prices /],
    ['whose version is no date', (list) => Object.assign(list, { version: 'nova' }), /\/version is not a date/],
  ])('%s is refused by its name, with the place of each problem', (_, change, problem) => {
    const content = changed(change);
    expect(() => load(content)).toThrow(/policies\/prices\.json/);
    expect(() => load(content)).toThrow(problem);
  });

  it('that is no JSON is refused by its name', () =>
    expect(() => load('{"version": "2026-11-28",')).toThrow(/policies\/prices\.json is not valid:\n.*JSON/));
});
