import { expect, it } from '@jest/globals';
import { goneBackOf, leftOfReceived, returnsOfRecorded } from './received-returns.ts';
import type { ProviderReversal } from './refunds.ts';

const back = (id: string, amountCentavos: number, change: Partial<ProviderReversal> = {}): ProviderReversal => ({
  id,
  kind: 'med_fraude',
  state: 'done',
  amountCentavos,
  at: new Date(`2026-11-0${id}T12:00:00Z`),
  contestUntil: null,
  ...change,
});
const idsOf = (recorded: number, reversals: readonly ProviderReversal[]) =>
  returnsOfRecorded(recorded, { amountCentavos: 10_000, reversals }).map(({ id }) => id);

it('leaves of a payment what has not gone back, and never less than nothing', () => {
  expect(leftOfReceived({ amountCentavos: 10_000, returnedCentavos: 3_000 })).toBe(7_000);
  expect(leftOfReceived({ amountCentavos: 10_000, returnedCentavos: 10_001 })).toBe(0);
});

it.each([
  ['the whole was recorded', 10_000, 3_000, 3_000],
  ['a part had gone back before', 7_000, 5_000, 2_000],
  ['nothing has gone back since', 7_000, 3_000, 0],
  ['a file told of less', 9_800, 10_000, 9_800],
  ['a file told of more', 10_500, 3_000, 3_000],
  ['nothing has gone back at all', 10_500, 0, 0],
])('says what has gone back of what was recorded, where %s', (_, recorded, returnedCentavos, expected) => {
  expect(goneBackOf(recorded, { amountCentavos: 10_000, returnedCentavos })).toBe(expected);
});

it('leaves out the returns of what had gone back before', () => {
  expect(idsOf(10_000, [back('1', 3_000)])).toEqual(['1']);
  // A bank may list the latest first.
  expect(idsOf(7_000, [back('2', 3_000), back('1', 3_000)])).toEqual(['2']);
  expect(idsOf(7_000, [back('1', 3_000, { state: 'failed' }), back('2', 3_000), back('3', 7_000)])).toEqual(['1', '3']);
});
