import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fitsSms, foldForSms, MAX_SEGMENTS, STANDARD_SEGMENTS, STRICT_SEGMENTS, smsSize } from './sms-text.ts';

describe('the size of an SMS', () => {
  it.each([
    ['160 places are one segment', 'a'.repeat(160), 'gsm7', 160, 1],
    ['161 places are two', 'a'.repeat(161), 'gsm7', 161, 2],
    ['two segments hold 306 places', 'a'.repeat(306), 'gsm7', 306, 2],
    ['307 places are three segments', 'a'.repeat(307), 'gsm7', 307, 3],
    ['a character of the extension table takes two places', '€'.repeat(80), 'gsm7', 160, 1],
    ['and is never divided', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 'gsm7', 306, 3],
    ['the letters of the alphabet itself take one place', 'éàÇñ'.repeat(40), 'gsm7', 160, 1],
    ['one other letter makes all of it 16 bits wide', `ã${'a'.repeat(69)}`, 'ucs2', 70, 1],
    ['71 places of 16 bits are two segments', `ç${'a'.repeat(70)}`, 'ucs2', 71, 2],
    ['two segments of 16 bits hold 134', `ç${'a'.repeat(133)}`, 'ucs2', 134, 2],
    ['135 are three', `ç${'a'.repeat(134)}`, 'ucs2', 135, 3],
    ['an emoji takes two places and is never divided', `${'a'.repeat(66)}😀${'a'.repeat(66)}`, 'ucs2', 134, 3],
    ['a backtick is not in the alphabet', '`', 'ucs2', 1, 1],
  ] as const)('%s', (_what, text, alphabet, places, segments) => {
    expect(smsSize(text, STANDARD_SEGMENTS)).toEqual({ alphabet, places, segments });
  });

  it.each([
    ['a segment ends at a space', `${'a'.repeat(100)} ${'b'.repeat(100)} ${'c'.repeat(100)}`, 3],
    ['two segments hold 304 places', `${'a'.repeat(151)} ${'b'.repeat(152)}`, 2],
    ['and no more', `${'a'.repeat(151)} ${'b'.repeat(151)} c`, 3],
    ['a longer word cannot be sent', 'a'.repeat(161), Number.POSITIVE_INFINITY],
    ['a line end is no space', `${'a'.repeat(100)}\n${'b'.repeat(100)}`, Number.POSITIVE_INFINITY],
    ['the extension table is written in 16 bits', '€'.repeat(71), Number.POSITIVE_INFINITY],
  ] as const)('strictly, %s', (_what, text, segments) => {
    expect(smsSize(text, STRICT_SEGMENTS).segments).toBe(segments);
  });

  const words = fc.array(fc.string({ unit: fc.constantFrom(...'ab€ãé~ 😀'), maxLength: 90 }), { maxLength: 8 });

  it('a text that fits strictly fits everywhere', () => {
    fc.assert(
      fc.property(words, (parts) => {
        const text = parts.join(' ');
        fc.pre(fitsSms(text));
        expect(smsSize(text, STANDARD_SEGMENTS).segments).toBeLessThanOrEqual(MAX_SEGMENTS);
      }),
    );
  });

  it('a longer text never needs fewer segments', () => {
    fc.assert(
      fc.property(words, fc.constantFrom('a', ' ', 'ã', '€'), fc.boolean(), (parts, more, strict) => {
        const rules = strict ? STRICT_SEGMENTS : STANDARD_SEGMENTS;
        const text = parts.join(' ');
        expect(smsSize(text + more, rules).segments).toBeGreaterThanOrEqual(smsSize(text, rules).segments);
      }),
    );
  });
});

describe('a text folded for SMS', () => {
  it.each([
    ['Olá, João! Não é você? Há conciliação às 15h.', 'Ola, Joao! Nao e voce? Ha conciliacao as 15h.'],
    ['ÁÉÍÓÚ ÂÊÔ ÃÕ ÀÜ Ç Ñ', 'AEIOU AEO AO AU C N'],
    ['Joa\u0303o e Joa\u0303o', 'Joao e Joao'],
    ['“aspas” ‘simples’ «francesas»', '"aspas" \'simples\' "francesas"'],
    ['um – dois — três − quatro · cinco • seis', 'um - dois - tres - quatro - cinco - seis'],
    ['fim…', 'fim...'],
    ['nº 5, Nº 6, 2ª via, 3º, 20°', 'n. 5, N. 6, 2a via, 3o, 20o'],
    ['R$\u00a01.234,56', 'R$ 1.234,56'],
    ['Oi 😀 Ana 👨‍👩‍👧 👍🏽 1️⃣ ✓ ★', 'Oi Ana 1'],
    ['a  b\t c\r\n\r\n d\u2028e', 'a b c\nd\ne'],
    ['\u200bA\u200dn\ufeffa\u202e', 'Ana'],
    ['ﬁm ½ ² Ⅳ', 'fim 1/2 2 IV'],
    ['5€', '5EUR'],
    ['😀', ''],
  ])('%j becomes %j', (text, folded) => {
    expect(foldForSms(text)).toBe(folded);
  });

  it('keeps letters of other scripts, which are sent in 16 bits', () => {
    expect(foldForSms('Ана й 日本 हिन्दी')).toBe('Ана й 日本 हिन्दी');
    expect(smsSize(foldForSms('Ана'), STANDARD_SEGMENTS).alphabet).toBe('ucs2');
  });

  it('leaves printable ASCII and so every link as it is', () => {
    const ascii = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(ascii, (text) => {
        fc.pre(!text.includes('`'));
        expect(foldForSms(text)).toBe(text);
      }),
    );
  });

  it('is the same when it is folded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(foldForSms(foldForSms(text))).toBe(foldForSms(text));
      }),
      { numRuns: 300 },
    );
  });

  it('is 7-bit text for everything that Portuguese writes', () => {
    const letters = 'aãáâàbcçdeéêfghiíjklmnoóôõpqrstuúüvwxyzAÃÁÂÀÇÉÊÍÓÔÕÚÜ0123456789 ,.;:!?()"\'/%+-–—“”‘’…ºª°R$\n';
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...letters) }), (text) => {
        expect(smsSize(foldForSms(text), STRICT_SEGMENTS).alphabet).toBe('gsm7');
      }),
    );
  });
});
