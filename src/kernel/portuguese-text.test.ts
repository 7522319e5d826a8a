import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normalizePortuguese } from './portuguese-text.ts';

describe('normalizePortuguese', () => {
  it.each([
    ['NÃO RECONHEÇO!!!', 'nao reconheco'],
    ['vc n pode qdo q', 'voce nao pode quando que'],
    ['paaaara', 'para'],
    ['ok 👍', 'ok emojiok'],
    ['des\u200bconto', 'desconto'],
    ['５º dia', '5o dia'],
    ['quanto é?', 'quanto e ?'],
    ['R$ 1.234,56', 'r$ 1_234_56'],
    ['oi\nparar', 'oi parar'],
    ['*_parar_*', 'parar'],
    ['_R$ 1.200_', 'r$ 1_200'],
    ['ana_souza@x.com', 'ana souza x com'],
  ])('%s', (text, normal) => {
    expect(normalizePortuguese(text)).toBe(normal);
  });

  it('accepts any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => typeof normalizePortuguese(text) === 'string'));
  });
});
