import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createPersonKeys } from './person-keys.ts';

describe('keys of persons', () => {
  it('are not made without the secret, because a process without it must not write them', () => {
    expect(() => createPersonKeys('')).toThrow('PERSON_SECRET');
    expect(createPersonKeys('secret').person('52998224725')).toMatch(/^[0-9a-f]{64}$/);
  });

  it('of a CPF never change, and a company has a key of its own', () => {
    const { person } = createPersonKeys('secret');
    const hmac = (text: string) => createHmac('sha256', 'secret').update(text).digest('hex');
    expect(person('52998224725')).toBe(hmac('cpf:52998224725'));
    expect(person('11222333000181')).toBe(hmac('cnpj:11222333000181'));
  });
});
