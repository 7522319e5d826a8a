import { expect, it } from '@jest/globals';
import { bodyOf, formOf, previewOf } from './terms-body.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');

it('begins with the usual contract and a worked example', () => {
  const form = formOf(undefined, NOW);
  expect(bodyOf(form)).toEqual({
    effectiveFrom: '2026-01-01',
    finePercent: 2,
    interest: { kind: 'monthly', percent: 1 },
    correction: 'none',
    graceDays: 0,
    businessDayShift: false,
    clause: null,
  });
  expect(previewOf(form).example).toEqual({ amount: 150.75, dueDate: '2026-10-05', on: '2026-11-20' });
});

it('asks for a preview before the clause is written, and without an example that is not complete', () => {
  const form = formOf(undefined, NOW);
  expect(previewOf({ ...form, clause: 'Con' }).clause).toMatch(/^.{10,}$/);
  expect(previewOf({ ...form, clause: 'Contrato, cláusula 7' }).clause).toBe('Contrato, cláusula 7');
  expect(previewOf({ ...form, amount: 'cem' })).not.toHaveProperty('example');
});

it('reads percentages as people write them, and leaves what is none to the service', () => {
  const form = formOf(undefined, NOW);
  expect(bodyOf({ ...form, finePercent: '1,15', interestPercent: '0.33' })).toMatchObject({
    finePercent: 1.15,
    interest: { percent: 0.33 },
  });
  expect(bodyOf({ ...form, finePercent: 'dois' }).finePercent).toBeNaN();
  expect(bodyOf({ ...form, interestKind: 'legal' }).interest).toEqual({ kind: 'legal', percent: null });
});
