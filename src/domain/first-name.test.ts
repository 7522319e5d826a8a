import { describe, expect, it } from '@jest/globals';
import { firstNameOf } from './first-name.ts';

describe('firstNameOf', () => {
  it.each([
    ['MARIA DAS DORES', 'Maria'],
    ['  joão  pedro', 'João'],
    ["d'ávila souza", "D'ávila"],
    ['Ana<script>', 'Anascript'],
    ['http://golpe.com Ana', 'Httpgolpecom'],
    ['123 456', 'cliente'],
    ['', 'cliente'],
  ])('%s -> %s', (name, first) => {
    expect(firstNameOf(name)).toBe(first);
  });
});
