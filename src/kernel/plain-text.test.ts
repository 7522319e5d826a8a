import { describe, expect, it } from '@jest/globals';
import { plainText, toPlainText } from './plain-text.ts';

describe('plainText', () => {
  it.each([
    ['  Ana ', 'Ana'],
    ['\tAna\n', 'Ana'],
    ['José Antônio d’Ávila', 'José Antônio d’Ávila'],
    ['😀😀', '😀😀'],
    ['=SUM(A1)', '=SUM(A1)'],
    ['Sol ☀️', 'Sol ☀️'],
    ['日本', '日本'],
  ])('takes %j', (value, text) => expect(plainText(value, 2, 20)).toBe(text));

  it.each([
    '',
    ' ',
    'A',
    '😀',
    'a'.repeat(21),
    '😀'.repeat(21),
    'a\u0000b',
    'a\nb',
    'a\u007fb',
    'a\ud800b',
    'a\u2028b',
    'a\u202eb',
    'a\ufffdb',
    'a\u200bb',
    'a\u200db',
    'a\u200eb',
    'a\u061cb',
    'a\u00adb',
    'a\u2060b',
    'a\ufeffb',
    'a\u034fb',
    'a\u3164b',
    'a\u2800b',
    'a\u115fb',
    'a\ufe0fb',
    'a\ufe00b',
    'a\u{e0041}b',
    'a\u{e0100}b',
    5,
    null,
    undefined,
    ['ab'],
  ])('refuses %j', (value) => expect(plainText(value, 2, 20)).toBeNull());
});

describe('toPlainText', () => {
  it.each([
    [' Padaria\0\r\nSol ', 'Padaria Sol'],
    ['Pada\u202eria\u200b', 'Pada ria'],
    ['\u200b', ''],
    ['', ''],
    ['😀'.repeat(30), '😀'.repeat(20)],
    ['a\ud800', 'a'],
    ['a'.repeat(1_000_000), 'a'.repeat(20)],
  ])('makes a line of %j', (value, text) => {
    expect(toPlainText(value, 20)).toBe(text);
    if (text !== '') expect(plainText(text, 1, 20)).toBe(text);
  });
});
