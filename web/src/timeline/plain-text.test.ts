import { describe, expect, it } from '@jest/globals';
import { inWrittenOrder, partsOf } from './plain-text.ts';
import { placeOfPhone } from './zone.ts';

const ORIGIN = 'https://quita.exemplo.com.br';
const links = (text: string) => partsOf(text, ORIGIN).flatMap(({ href }) => (href === null ? [] : [href]));

describe('the text of a stranger', () => {
  it('links only to this service', () => {
    expect(links(`Pague em ${ORIGIN}/p/abc. Obrigado`)).toEqual([`${ORIGIN}/p/abc`]);
    expect(links('veja http://mal.exemplo/p e javascript:alert(1)')).toEqual([]);
    expect(links(`${ORIGIN}.mal.exemplo/p`)).toEqual([]);
    expect(links(`${ORIGIN}@mal.exemplo/p`)).toEqual([]);
    expect(links(`https://mal.exemplo/?a=${ORIGIN}/p/abc`)).toEqual([]);
  });

  it('loses no character', () => {
    const text = `antes ${ORIGIN}/p/abc, depois (${ORIGIN}/p/def)`;
    expect(
      partsOf(text, ORIGIN)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
    expect(partsOf('', ORIGIN)).toEqual([]);
  });

  it('stands in the order in which it was written', () => {
    expect(inWrittenOrder('pago \u202e05,1 $R\u202c')).toBe('pago \ufffd05,1 $R\ufffd');
    expect(inWrittenOrder('família 👩‍👧')).toBe('família 👩‍👧');
  });
});

describe('the place of a debtor', () => {
  it('is that of the area code, and otherwise Brasília', () => {
    expect(placeOfPhone('+5568987650001').zone).toBe('America/Rio_Branco');
    expect(placeOfPhone('+5592987650001').zone).toBe('America/Manaus');
    expect(placeOfPhone('+5511987650001').zone).toBe('America/Sao_Paulo');
    expect(placeOfPhone('').zone).toBe('America/Sao_Paulo');
  });
});
