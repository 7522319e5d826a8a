import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nameKeyOf, searchTermsOf } from './search-terms.ts';

describe('the key of a name', () => {
  it.each([
    ['  João  Antônio da\tConceição ', 'joao antonio da conceicao'],
    ['ÇÃÕ ÉÍÚ Ü', 'cao eiu u'],
    ['Ｍａｒｉａ', 'maria'],
    ['😀 Ana', '😀 ana'],
    ['\u0301', ''],
  ])('of %j is %j', (name, key) => expect(nameKeyOf(name)).toBe(key));

  it('has at most 200 characters, so that an index can hold it', () => {
    // One of the characters that fold into the most others.
    expect([...nameKeyOf('\ufdfa'.repeat(200))]).toHaveLength(200);
    expect([...nameKeyOf('😀'.repeat(300))]).toHaveLength(200);
  });

  it('of a beginning of a name is the beginning of its key', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-zÀ-ÿ ]{0,40}$/), fc.nat(40), (name, at) => {
        expect(nameKeyOf(name).startsWith(nameKeyOf(name.slice(0, at)))).toBe(true);
      }),
    );
  });
});

describe('what a searched text may be', () => {
  it.each([
    ['529.982.247-25', { from: '52998224725', to: '52998224725' }],
    ['529.982', { from: '52998200000', to: '52998299999' }],
    ['12.abc.345/01de-35', { from: '12ABC34501DE35', to: '12ABC34501DE35' }],
    ['52998', null],
    ['Ana Souza', null],
  ])('%j: the tax ids %j', (text, taxIds) => expect(searchTermsOf(text).taxIds).toEqual(taxIds));

  it.each([
    ['(11) 98765-0001', ['+5511987650001']],
    ['+55 11 98765-0001', ['+5511987650001']],
    ['011 98765-0001', ['+5511987650001']],
    ['(11) 3456-7890', ['+551134567890', '+5511934567890']],
    ['11 8765-0001', ['+5511987650001']],
    ['8765', []],
    ['NF-11987650001', []],
  ])('%j: the phones %j', (text, phones) => expect(searchTermsOf(text).phones).toEqual(phones));

  it('a phone without its area code, in any of them', () => {
    for (const text of ['98765-0001', '8765 0001']) {
      const { phones } = searchTermsOf(text);
      expect(phones).toEqual(expect.arrayContaining(['+5511987650001', '+5568987650001']));
      expect(phones.every((phone) => phone.endsWith('87650001'))).toBe(true);
    }
  });

  it('the beginning of an invoice and beginnings of words, case aside', () => {
    expect(searchTermsOf(' NF-Á ')).toMatchObject({ invoiceKey: 'nf-á', words: ['nf', 'a'] });
    expect(searchTermsOf("D'Ávila, Sant")).toMatchObject({ words: ['d', 'avila', 'sant'] });
    expect(searchTermsOf('52998224725').words).toEqual([]);
  });

  it('nothing, for a text that is empty after folding', () => {
    expect(searchTermsOf(' \u0301')).toMatchObject({ taxIds: null, phones: [], words: [] });
  });

  it('any text is read, and no beginning is longer than the text allows', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100, unit: 'grapheme' }), (text) => {
        const { words } = searchTermsOf(text);
        expect(words.length).toBeLessThanOrEqual(10);
        expect(words.join('').length).toBeLessThanOrEqual(400);
      }),
    );
  });
});
