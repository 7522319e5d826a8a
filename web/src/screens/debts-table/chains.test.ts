import { describe, expect, it } from '@jest/globals';
import { type Chains, newChains, PAGES_AHEAD, placeOf, walksFor, withNext } from './chains.ts';

const TOTAL = 50_000;
const headOf = (pages: number): Chains => ({ head: Array.from({ length: pages }, (_, n) => `h${n}`), tail: [''] });

describe('the pages of a long list', () => {
  it('are walked from the head, and the next ones are asked for before they are seen', () => {
    expect(walksFor({ first: 0, last: 30 }, TOTAL, newChains(), true)).toEqual([
      { end: 'head', from: 0, wanted: 0, to: PAGES_AHEAD },
    ]);
    expect(walksFor({ first: 90, last: 130 }, 250, headOf(2), true)).toEqual([
      { end: 'head', from: 0, wanted: 0, to: 2 },
    ]);
  });

  it('at its end are reached by the opposite order at once', () => {
    expect(placeOf(TOTAL - 1, TOTAL, newChains(), true)).toEqual({ end: 'tail', page: 0, at: 0 });
    expect(placeOf(TOTAL - 150, TOTAL, newChains(), true)).toEqual({ end: 'tail', page: 1, at: 49 });
    expect(walksFor({ first: TOTAL - 30, last: TOTAL - 1 }, TOTAL, headOf(4), true)).toEqual([
      { end: 'tail', from: 0, wanted: 0, to: PAGES_AHEAD },
    ]);
  });

  it('are read on from the head beyond the middle by whoever has walked so far', () => {
    expect(placeOf(30_000, TOTAL, headOf(301), true)).toEqual({ end: 'head', page: 300, at: 0 });
  });

  it('of an order without an opposite are walked from the head alone', () => {
    expect(placeOf(TOTAL - 1, TOTAL, newChains(), false)).toEqual({ end: 'head', page: 499, at: 99 });
    expect(walksFor({ first: TOTAL - 30, last: TOTAL - 1 }, TOTAL, newChains(), false)).toEqual([
      { end: 'head', from: 0, wanted: 499, to: 499 },
    ]);
  });

  it('keep their cursors until a page before them has changed', () => {
    const chains: Chains = { head: ['', 'a', 'b', 'c'], tail: [''] };
    expect(withNext(chains, 'head', 0, 'a')).toBe(chains);
    expect(withNext(chains, 'head', 1, 'x').head).toEqual(['', 'a', 'x']);
    expect(withNext(chains, 'head', 3, 'd').head).toEqual(['', 'a', 'b', 'c', 'd']);
    expect(withNext(chains, 'head', 3, null)).toBe(chains);
  });
});
