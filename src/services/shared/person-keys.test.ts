import { describe, expect, it } from '@jest/globals';
import { createPersonKeys } from './person-keys.ts';

describe('keys of persons', () => {
  it('are not made without the secret, because a process without it must not write them', () => {
    expect(() => createPersonKeys('')).toThrow('PERSON_SECRET');
    expect(createPersonKeys('secret').person('52998224725')).toMatch(/^[0-9a-f]{64}$/);
  });
});
