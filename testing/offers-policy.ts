import fc from 'fast-check';

/** A policy as the API takes it: 10 % in the first 90 days, 30 % later, and up to 12 instalments of R$ 10,00. */
export const OFFERS_POLICY = {
  bands: [
    { fromDays: 1, toDays: 90, maxDiscountPercent: 10 },
    { fromDays: 91, toDays: null, maxDiscountPercent: 30 },
  ],
  discountOn: 'all',
  minEntryPercent: 0,
  minInstalment: 10,
  maxInstalments: 12,
  maxDaysToFirst: 10,
  holdDays: 5,
  maxOffers: 2,
  personAbove: null,
  // biome-ignore lint/suspicious/noThenProperty: the API names it so, and nobody awaits a policy.
  breach: { afterDays: 15, then: 'restore' },
  graceMoves: 0,
};

const percent = (most: number) => fc.integer({ min: 0, max: most * 100 }).map((points) => points / 100);
const band = fc.record({ days: fc.integer({ min: 0, max: 150 }), maxDiscountPercent: percent(99) });

/** Any policy of which a debt of some reais gets an offer; bands follow each other, and the last one may have no end. */
export const offersPolicies = fc
  .record({
    bands: fc.array(band, { maxLength: 4 }),
    isOpen: fc.boolean(),
    discountOn: fc.constantFrom('charges' as const, 'all' as const),
    minEntryPercent: percent(90),
    minInstalment: fc.integer({ min: 100, max: 5_000 }).map((centavos) => centavos / 100),
    maxInstalments: fc.integer({ min: 1, max: 60 }),
    maxDaysToFirst: fc.integer({ min: 0, max: 90 }),
    holdDays: fc.integer({ min: 0, max: 90 }),
    maxOffers: fc.integer({ min: 0, max: 50 }),
    afterDays: fc.integer({ min: 5, max: 60 }),
    afterBreach: fc.constantFrom('restore' as const, 'keep' as const),
    graceMoves: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ bands, isOpen, afterDays, afterBreach, ...policy }) => {
    let fromDays = 0;
    const inOrder = bands.map(({ days, maxDiscountPercent }, at) => {
      const toDays = isOpen && at === bands.length - 1 ? null : fromDays + days;
      const one = { fromDays, toDays, maxDiscountPercent };
      fromDays += days + 1;
      return one;
    });
    // biome-ignore lint/suspicious/noThenProperty: the API names it so, and nobody awaits a policy.
    return { ...policy, bands: inOrder, personAbove: null, breach: { afterDays, then: afterBreach } };
  });
