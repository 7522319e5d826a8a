import { describe, expect, it } from '@jest/globals';
import { pixCodeOf, sendersOf, wholeText } from './content.ts';

describe('what of a content counts', () => {
  it('leaves white space of every kind out of a text, and nothing else', () => {
    expect(wholeText(' Olá,\tMaria.\r\n\u00a0Veja: R$\u00a01,00\u2028')).toBe('Olá,Maria.Veja:R$1,00');
    expect(wholeText('Ola\u0301')).toBe(wholeText('Ol\u00e1'));
    for (const other of ['Olа', 'ola', 'Ola.', 'O\u200bla', 'Ol\u00e1']) expect(wholeText(other)).not.toBe('Ola');
  });

  it('keeps every character of a Pix code, spaces too', () => {
    expect(pixCodeOf(' 0002015913ESCOLA\nAURORA 6304ABCD\r\n')).toBe('0002015913ESCOLAAURORA 6304ABCD');
  });

  it.each([
    '+5511987654321',
    '5511987654321',
    '+55 (11) 98765-4321',
    '(11) 98765-4321',
    '11 98765 4321',
    '011 98765.4321',
    '+55 (011) 98765-4321',
    '11 8765-4321',
  ])('reads %s as the number that a channel sends from', (written) => {
    expect(sendersOf(written)).toContain('5511987654321');
  });

  it('also finds a mobile phone that the channel names without its ninth digit', () => {
    expect(sendersOf('+55 31 98765-4321')).toContain('553187654321');
  });

  it('knows words, and not by their digits alone', () => {
    expect(sendersOf(' QUITA ')).toEqual(['quita']);
    expect(sendersOf('Escola29091')).toEqual(['escola29091']);
    // The sign of the unit kelvin is no `k`, though its lower case is one.
    expect(sendersOf('\u212aITA')).toEqual([]);
  });

  it('knows short codes, foreign numbers and addresses, and takes nothing else for a sender', () => {
    expect(sendersOf(' 29091 ')).toEqual(['29091']);
    expect(sendersOf('+1 (202) 555-0175')).toEqual(['12025550175']);
    expect(sendersOf(' Cobranca@Quita.Example ')).toEqual(['cobranca@quita.example']);
    for (const none of ['', '12', 'Escola Aurora', 'ЕSCOLA', 'ESCÓLA', '١١٩٨٧٦٥٤٣٢١', '1'.repeat(41), 'a'.repeat(65)])
      expect(sendersOf(none)).toEqual([]);
  });
});
