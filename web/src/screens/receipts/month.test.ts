import { expect, it } from '@jest/globals';
import { monthOf } from './month.ts';

it('begins the month by the clock of São Paulo', () => {
  expect(monthOf(new Date('2026-12-01T01:00:00Z'))).toEqual({ from: '2026-11-01', to: '2026-11-30' });
  expect(monthOf(new Date('2026-12-01T12:00:00Z'))).toEqual({ from: '2026-12-01', to: '2026-12-01' });
});
