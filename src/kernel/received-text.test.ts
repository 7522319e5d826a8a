import { describe, expect, it } from '@jest/globals';
import { receivedText } from './received-text.ts';

describe('a received text', () => {
  it.each([
    ['oi', { text: 'oi', cutFrom: null }],
    ['', { text: '', cutFrom: null }],
    ['a'.repeat(4_096), { text: 'a'.repeat(4_096), cutFrom: null }],
    ['a'.repeat(4_097), { text: 'a'.repeat(4_096), cutFrom: 4_097 }],
    // A character beyond the basic plane counts once and is never cut in half.
    ['😀'.repeat(4_096), { text: '😀'.repeat(4_096), cutFrom: null }],
    [`${'😀'.repeat(4_096)}!!`, { text: '😀'.repeat(4_096), cutFrom: 4_098 }],
    ['a\u0000b\ud800', { text: 'ab\ufffd', cutFrom: null }],
  ])('is stored with at most 4,096 characters, all of them storable', (given, expected) => {
    expect(receivedText(given)).toEqual(expected);
  });
});
