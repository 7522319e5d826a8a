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
