import { describe, expect, it } from '@jest/globals';
import { createVerifiedTokens } from './verified-tokens.ts';

describe('verified tokens', () => {
  it('are kept until the second in which they expire', () => {
    let now = 1_000_000;
    const tokens = createVerifiedTokens<string>(() => now);
    expect(tokens.find('a')).toBeUndefined();
    tokens.keep('a', { claims: 'of a', expiresAt: 1_100 });
    now = 1_099_999;
    expect(tokens.find('a')).toBe('of a');
    now = 1_100_000;
    expect(tokens.find('a')).toBeUndefined();
    now = 1_000_000;
    expect(tokens.find('a')).toBeUndefined();
  });

  it('are dropped, oldest first, when the capacity is reached', () => {
    const tokens = createVerifiedTokens<number>(() => 0, 3);
    for (const n of [1, 2, 3, 4]) tokens.keep(`t${n}`, { claims: n, expiresAt: 10 });
    expect([1, 2, 3, 4].map((n) => tokens.find(`t${n}`))).toEqual([undefined, 2, 3, 4]);
  });
});
