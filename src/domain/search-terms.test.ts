import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nameKeyOf } from './name-key.ts';
import { searchTermsOf } from './search-terms.ts';

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
    ['529.982.247-25', '52998224725'],
    ['52998224725', '52998224725'],
    ['12.abc.345/01de-35', '12ABC34501DE35'],
    ['5299822472', null],
    ['Ana Souza', null],
  ])('%j: the tax id %j', (text, taxId) => expect(searchTermsOf(text).taxId).toBe(taxId));

  it.each([
    ['(11) 98765-0001', ['+5511987650001']],
    ['+55 11 98765-0001', ['+5511987650001']],
    ['011 98765-0001', ['+5511987650001']],
    ['(11) 3456-7890', ['+551134567890', '+5511934567890']],
    ['11 8765-0001', ['+5511987650001']],
    ['98765-0001', []],
    ['NF-11987650001', []],
  ])('%j: the phones %j', (text, phones) => expect(searchTermsOf(text).phones).toEqual(phones));

  it('the beginning of an invoice and of a name, case aside', () => {
    expect(searchTermsOf(' NF-Á ')).toMatchObject({ invoiceKey: 'nf-á', nameKey: 'nf-a' });
  });

  it('nothing, for a text that is empty after folding', () => {
    expect(searchTermsOf(' \u0301')).toMatchObject({ taxId: null, phones: [], nameKey: null });
  });

  it('any text is read, and no beginning is longer than the text allows', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100, unit: 'grapheme' }), (text) => {
        const { nameKey } = searchTermsOf(text);
        expect([...(nameKey ?? '')].length).toBeLessThanOrEqual(200);
      }),
    );
  });
});
