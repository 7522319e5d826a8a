import { expect } from '@jest/globals';
import fc from 'fast-check';
import { addDays } from '../src/kernel/calendar.ts';
import { offerNear, type Proposal } from '../src/modules/agreements/rules/offer-near.ts';
import { makeOffers, makeStaffOffer, type Offer, type OfferContext } from '../src/modules/agreements/rules/offers.ts';
import { largestDiscount, type OffersPolicy, type OwedDebt } from '../src/modules/agreements/rules/offers-policy.ts';
import { loadPolicy } from '../src/modules/policy/use-cases/load-policy.ts';
import { nextBusinessDay } from '../src/modules/terms/rules/counted-days.ts';

export const TODAY = '2026-07-09';
export const calendar = { holidays: loadPolicy().holidays, states: ['SP'] as const };

export const POLICY: OffersPolicy = {
  bands: [
    { fromDays: 1, toDays: 90, maxDiscountPercent: 10 },
    { fromDays: 91, toDays: null, maxDiscountPercent: 30 },
  ],
  discountOn: 'all',
  minEntryPercent: 0,
  minInstalmentCentavos: 5_000,
  maxInstalments: 12,
  maxDaysToFirst: 10,
  holdDays: 5,
  maxOffers: 2,
  personAboveCentavos: null,
  // biome-ignore lint/suspicious/noThenProperty: the API names it so, and nobody awaits a policy.
  breach: { afterDays: 15, then: 'restore' },
  graceMoves: 0,
};
const percent = fc.integer({ min: 0, max: 9_999 }).map((points) => points / 100);
/** Any policy. */
export const anyPolicy: fc.Arbitrary<OffersPolicy> = fc
  .record({
    discountOn: fc.constantFrom('charges', 'all'),
    minEntryPercent: percent,
    minInstalmentCentavos: fc.integer({ min: 1, max: 50_000 }),
    maxInstalments: fc.integer({ min: 1, max: 60 }),
    maxDaysToFirst: fc.integer({ min: 0, max: 60 }),
    holdDays: fc.integer({ min: 0, max: 30 }),
    ends: fc.tuple(fc.integer({ min: 1, max: 100 }), percent, percent),
  })
  .map(({ ends: [end, first, second], ...more }) => ({
    ...POLICY,
    ...more,
    bands: [
      { fromDays: 1, toDays: end, maxDiscountPercent: first },
      { fromDays: end + 10, toDays: null, maxDiscountPercent: second },
    ],
  }));
/** What any person owes. */
export const anyDebts: fc.Arbitrary<OwedDebt[]> = fc.array(
  fc.record({
    debtId: fc.uuid(),
    dueDate: fc.constant('2026-01-10'),
    daysLate: fc.integer({ min: 1, max: 200 }),
    principalCentavos: fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 9_999_999_999 })),
    chargesCentavos: fc.integer({ min: 0, max: 1_000_000 }),
  }),
  { minLength: 1, maxLength: 5 },
);

/** What a debtor may propose. */
export const anyProposal: fc.Arbitrary<Proposal> = fc.record(
  {
    monthlyCentavos: fc.nat({ max: 1_000_000 }),
    count: fc.integer({ min: 1, max: 60 }),
    firstDay: fc.integer({ min: -40, max: 120 }).map((days) => addDays(TODAY, days)),
    isCheaper: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** What answers a proposal after the offers were listed, and after one of them was shown alone. */
export const nearOf = (asked: OfferContext, proposed: Proposal): Offer[] =>
  [[], ...makeOffers(asked).map((offer) => [offer])]
    .map((shown) => offerNear(asked, proposed, shown))
    .filter((offer) => offer !== null);

/** Judges an offer by its policy alone, and says what it gives beyond it. */
function beyond(rules: OffersPolicy, owed: readonly OwedDebt[], offer: Offer): string[] {
  const { totalCentavos: total, instalments, debts } = offer;
  const amounts = instalments.map(({ amountCentavos }) => amountCentavos);
  const sum = (all: readonly number[]) => all.reduce((left, right) => left + right, 0);
  const faults: readonly (readonly [string, boolean])[] = [
    ['total', sum(amounts) !== total || sum(debts.map((one) => one.owedCentavos - one.discountCentavos)) !== total],
    ['discount', debts.some((one, at) => one.discountCentavos > largestDiscount(rules, owed[at]!))],
    ['settled for nothing', debts.some((one) => one.owedCentavos - one.discountCentavos < 1)],
    ['count', instalments.length > rules.maxInstalments],
    ['smallest', instalments.length > 1 && amounts.some((amount) => amount < rules.minInstalmentCentavos)],
    [
      'entry',
      instalments.length > 1 &&
        BigInt(amounts[0]!) * 10_000n < BigInt(total) * BigInt(Math.round(rules.minEntryPercent * 100)),
    ],
    // On the latest day of the policy, or on the next business day after it.
    [
      'first day',
      instalments[0]!.dueDate < TODAY ||
        instalments[0]!.dueDate > nextBusinessDay(calendar, addDays(TODAY, rules.maxDaysToFirst)),
    ],
    ['held', offer.validUntil > addDays(TODAY, rules.holdDays) || offer.validUntil > instalments[0]!.dueDate],
    ['nothing', amounts.some((amount) => amount < 1)],
  ];
  return faults.flatMap(([name, isFault]) => (isFault ? [name] : []));
}

/** Makes so many offers, by policies and by staff, and fails when one is outside its policy. */
export function expectOffersWithinPolicies(count: number): void {
  const first = fc.integer({ min: 0, max: 90 }).map((days) => addDays(TODAY, days));
  const request = fc.record({
    discountPercent: percent,
    instalments: fc.integer({ min: 1, max: 60 }),
    entryPercent: percent,
    firstDueDate: first,
  });
  const given = fc.sample(fc.tuple(anyPolicy, anyDebts, anyProposal, request), {
    numRuns: count * 0.4,
    seed: 7,
  });
  let judged = 0;
  let ofStaff = 0;
  for (const [at, [rules, owed, proposed, staffOffer]] of given.entries()) {
    const asked = { policy: rules, debts: owed, today: TODAY, calendar, nextNumber: 1 };
    const byStaff = makeStaffOffer(asked, staffOffer);
    const isWithin = byStaff !== null && byStaff.outside.length === 0;
    // The nearest offer is chosen among up to 60, which takes long.
    const near = at % 50 === 0 ? nearOf(asked, proposed) : [];
    const offers = [...makeOffers(asked), ...near, ...(isWithin ? [byStaff.offer] : [])];
    for (const offer of offers) {
      const faults = beyond(rules, owed, offer);
      if (faults.length > 0) expect({ rules, owed, offer, faults }).toBeNull();
    }
    judged += offers.length;
    if (isWithin) ofStaff += 1;
  }
  expect(judged).toBeGreaterThanOrEqual(count);
  expect(ofStaff).toBeGreaterThan(count / 1_000);
}
