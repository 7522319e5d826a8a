import { describe, expect, it } from '@jest/globals';
import { plainText } from './plain-text.ts';

describe('plainText', () => {
  it.each([
    ['  Ana ', 'Ana'],
    ['\tAna\n', 'Ana'],
    ['José Antônio d’Ávila', 'José Antônio d’Ávila'],
    ['😀😀', '😀😀'],
    ['=SUM(A1)', '=SUM(A1)'],
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
    5,
    null,
    undefined,
    ['ab'],
  ])('refuses %j', (value) => expect(plainText(value, 2, 20)).toBeNull());
});
