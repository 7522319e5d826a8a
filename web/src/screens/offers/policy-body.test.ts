import { expect, it } from '@jest/globals';
import { bodyOf, formOf, previewOf, withBand } from './policy-body.ts';

it('begins carefully where there is no policy, and shows a policy as it was stored', () => {
  const first = bodyOf(formOf(null));
  expect(first).toMatchObject({ discountOn: 'charges', personAbove: null });
  const stored = {
    ...first,
    bands: [{ fromDays: 1, toDays: 90, maxDiscountPercent: 10.5 }],
    minInstalment: 1234.5,
    personAbove: 5000,
    graceMoves: 0,
  } as Parameters<typeof formOf>[0];
  expect(formOf(stored).bands[0]).toMatchObject({ fromDays: '1', toDays: '90', maxDiscountPercent: '10,5' });
  expect(bodyOf(formOf(stored))).toEqual(stored);
});

it('never takes an amount that cannot be read for no limit', () => {
  const form = formOf(null);
  expect(bodyOf({ ...form, personAbove: 'cinco mil' }).personAbove).toBe(0);
  expect(bodyOf({ ...form, personAbove: ' ' }).personAbove).toBeNull();
  expect(bodyOf({ ...form, minInstalment: '' }).minInstalment).toBe(0);
});

it('leaves what is no number to the service', () => {
  const body = bodyOf({ ...formOf(null), maxInstalments: '', minEntryPercent: 'dez' });
  expect(JSON.parse(JSON.stringify(body))).toMatchObject({ maxInstalments: null, minEntryPercent: null });
});

it('adds a band that begins where the last one ends, with a key of its own', () => {
  const bands = formOf(null).bands.slice(0, 1);
  expect(withBand(bands).at(-1)).toEqual({ key: 1, fromDays: '91', toDays: '', maxDiscountPercent: '' });
  expect(withBand(withBand(bands)).at(-1)).toMatchObject({ key: 2, fromDays: '' });
  expect(withBand([])).toMatchObject([{ key: 0, fromDays: '1' }]);
});

it('waits with the example until it is complete', () => {
  const form = formOf(null);
  expect(previewOf(form)?.example).toEqual({ amount: 1000, daysLate: 100 });
  expect(previewOf({ ...form, amount: 'mil' })).toBeNull();
  expect(previewOf({ ...form, daysLate: '' })).toBeNull();
});
