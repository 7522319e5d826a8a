import { expect, it } from '@jest/globals';
import { monthOf, monthsUntil } from './month.ts';

it('begins the month by the clock of São Paulo', () => {
  expect(monthOf(new Date('2026-12-01T01:00:00Z'))).toEqual({ from: '2026-11-01', to: '2026-11-30' });
  expect(monthOf(new Date('2026-12-01T12:00:00Z'))).toEqual({ from: '2026-12-01', to: '2026-12-01' });
});

it('names the months until now', () => {
  const months = monthsUntil(new Date('2026-12-01T01:00:00Z'));
  expect(months[0]).toEqual({ value: '2026-11', label: 'Novembro de 2026' });
  expect([months[10]?.value, months[11]?.value, months.length]).toEqual(['2026-01', '2025-12', 24]);
});
