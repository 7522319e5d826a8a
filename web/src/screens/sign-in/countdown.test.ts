import { expect, it } from '@jest/globals';
import { countdownText } from './countdown.ts';

it('writes the time that is left', () => {
  expect(countdownText(245)).toBe('4 min 05 s');
  expect(countdownText(12)).toBe('12 s');
  expect(countdownText(60)).toBe('1 min 00 s');
});
