import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  anyDebts,
  anyPolicy,
  anyProposal,
  calendar,
  expectOffersWithinPolicies,
  nearOf,
  POLICY,
  TODAY,
} from '../../../../testing/offers-within-policies.ts';
import { type OfferableDebt, offeredDebts } from './offered-debts.ts';
import { makeOffers, makeStaffOffer, type OfferContext, type StaffOffer, shareDiscount } from './offers.ts';
import { largestDiscount, type OffersPolicy, type OwedDebt, offersPolicyProblems } from './offers-policy.ts';

const DEBT: OwedDebt = {
  debtId: 'a',
  dueDate: '2026-01-10',
  daysLate: 180,
  principalCentavos: 100_000,
  chargesCentavos: 8_000,
};
const context = (change: Partial<OfferContext> = {}, policy: Partial<OffersPolicy> = {}): OfferContext => ({
  policy: { ...POLICY, ...policy },
  debts: [DEBT],
  today: TODAY,
  calendar,
  nextNumber: 1,
  ...change,
});
const staff = (change: Partial<StaffOffer>) =>
  makeStaffOffer(context(), {
    discountPercent: 0,
    instalments: 1,
    entryPercent: 0,
    firstDueDate: '2026-07-10',
    ...change,
  });

describe('the golden examples', () => {
  it('9: settles R$ 1.080,00 with 30 % for R$ 756,00, and refuses R$ 755,99', () => {
    expect(largestDiscount(POLICY, DEBT)).toBe(32_400);
    const settled = staff({ discountPercent: 30 })!;
    expect(settled).toMatchObject({ outside: [], offer: { totalCentavos: 75_600, discountCentavos: 32_400 } });
    // With 30,01 % the total is R$ 755,90.
    expect(staff({ discountPercent: 30.01 })).toMatchObject({
      outside: ['discount'],
      offer: { totalCentavos: 75_590 },
    });
    // The discount that leaves R$ 755,99 of a debt of R$ 1.079,99 is R$ 324,00: a centavo more than 30 % of it.
    expect(largestDiscount(POLICY, { ...DEBT, principalCentavos: 99_999 })).toBe(32_399);
  });

  it('11: divides the R$ 756,00 into three equal instalments', () => {
    const { offer, outside } = staff({ discountPercent: 30, instalments: 3 })!;
    expect(outside).toEqual([]);
    expect(offer.instalments).toEqual([
      { number: 1, dueDate: '2026-07-10', amountCentavos: 25_200 },
      { number: 2, dueDate: '2026-08-10', amountCentavos: 25_200 },
      { number: 3, dueDate: '2026-09-10', amountCentavos: 25_200 },
    ]);
  });
});

describe('the offers that are made', () => {
  it('are at once with the best discount, in few instalments and in many', () => {
    const offers = makeOffers(context());
    expect(
      offers.map(({ number, kind, instalments, totalCentavos }) => [number, kind, instalments.length, totalCentavos]),
    )
      // The few get half of the discount, the many none.
      .toEqual([
        [1, 'cash', 1, 75_600],
        [2, 'instalments', 3, 91_800],
        [3, 'instalments', 12, 108_000],
      ]);
    expect(offers[0]).toMatchObject({ validUntil: '2026-07-14', entryCentavos: 75_600 });
    expect(offers[2]!.instalments.map(({ amountCentavos }) => amountCentavos)).toEqual(Array(12).fill(9_000));
  });

  it('can be accepted while they are held, and not beyond the latest day of the first instalment', () => {
    const [cash] = makeOffers(context({}, { holdDays: 10, maxDaysToFirst: 2 }));
    // 11 July 2026 is a Saturday.
    expect(cash).toMatchObject({ validUntil: '2026-07-11', instalments: [{ dueDate: '2026-07-13' }] });
  });

  it('begin with the entry of the policy, rounded up', () => {
    const [, few] = makeOffers(context({}, { minEntryPercent: 12.34, bands: [] }));
    // 12,34 % of R$ 1.080,00 is R$ 133,272.
    expect(few!.instalments.map(({ amountCentavos }) => amountCentavos)).toEqual([13_328, 47_336, 47_336]);
  });

  it('are fewer where the smallest instalment or the policy allows no more', () => {
    const counts = (policy: Partial<OffersPolicy>) =>
      makeOffers(context({}, policy)).map(({ instalments }) => instalments.length);
    expect(counts({ maxInstalments: 1 })).toEqual([1]);
    expect(counts({ maxInstalments: 3 })).toEqual([1, 3]);
    expect(counts({ minInstalmentCentavos: 45_000 })).toEqual([1, 2]);
    // Half of R$ 918,00 is less than R$ 500,00.
    expect(counts({ minInstalmentCentavos: 50_000 })).toEqual([1]);
    expect(counts({ minInstalmentCentavos: 200_000 })).toEqual([1]);
  });

  it('discount each debt by the days that it is late, and charges alone where the policy says so', () => {
    const young = { ...DEBT, debtId: 'b', daysLate: 30, principalCentavos: 50_000, chargesCentavos: 1_000 };
    const best = (policy: Partial<OffersPolicy>) => makeOffers(context({ debts: [DEBT, young] }, policy))[0]!;
    expect(best({}).debts).toEqual([
      { debtId: 'a', owedCentavos: 108_000, discountCentavos: 32_400 },
      { debtId: 'b', owedCentavos: 51_000, discountCentavos: 5_100 },
    ]);
    expect(best({ discountOn: 'charges' }).discountCentavos).toBe(2_400 + 100);
  });

  it('leave at least one centavo of each of several debts, because only a payment settles a debt', () => {
    const onlyCharges = { ...DEBT, debtId: 'b', principalCentavos: 0, chargesCentavos: 500 };
    const bands = [{ fromDays: 1, toDays: null, maxDiscountPercent: 100 }];
    const rules = { bands, discountOn: 'charges' as const };
    const both = context({ debts: [DEBT, onlyCharges] }, rules);
    expect(makeOffers(both)[0]!.debts).toEqual([
      { debtId: 'a', owedCentavos: 108_000, discountCentavos: 8_000 },
      { debtId: 'b', owedCentavos: 500, discountCentavos: 499 },
    ]);
    const request = { discountPercent: 100, instalments: 1, entryPercent: 0, firstDueDate: '2026-07-10' };
    expect(makeStaffOffer(both, request)).toMatchObject({
      outside: [],
      offer: { totalCentavos: 100_001, debts: [{ discountCentavos: 8_000 }, { discountCentavos: 499 }] },
    });
    // Nobody is offered to pay a centavo where the policy gives up everything.
    const cash = (debts: OwedDebt[]) => makeOffers(context({ debts }, rules)).filter(({ kind }) => kind === 'cash');
    expect(cash([onlyCharges])).toEqual([]);
    expect(cash([onlyCharges, { ...onlyCharges, debtId: 'c' }])).toEqual([]);
    expect(makeStaffOffer(context({ debts: [onlyCharges, onlyCharges] }, rules), request)).toBeNull();
  });

  it('are offers of staff beyond the policy only when that is said', () => {
    const outside = (change: Partial<StaffOffer>) => staff(change)!.outside;
    expect(outside({ instalments: 13 })).toEqual(['instalments']);
    expect(outside({ firstDueDate: '2026-07-20' })).toEqual(['first_due_date']);
    expect(outside({ instalments: 2, entryPercent: 4 })).toEqual(['smallest_instalment']);
    const policy = { minEntryPercent: 20 };
    const request = { discountPercent: 0, instalments: 6, entryPercent: 0, firstDueDate: '2026-07-10' };
    expect(makeStaffOffer(context({}, policy), request)!.outside).toEqual(['entry']);
    expect(makeStaffOffer(context({}, policy), { ...request, instalments: 5 })!.outside).toEqual([]);
    expect(makeStaffOffer(context(), { ...request, discountPercent: 100 })).toBeNull();
  });
});

describe('the debts that are offered', () => {
  const debt: OfferableDebt = {
    ...DEBT,
    status: 'IN_COLLECTION',
    importedAs: 1,
    prescribed: false,
    hardship: false,
    optedOut: false,
    died: false,
    clientCancelled: false,
  };
  const reason = (change: Partial<OfferableDebt>, policy: OffersPolicy | null = POLICY) =>
    offeredDebts(policy, [{ ...debt, ...change }], 'a').reason;

  it.each([
    ['state', { status: 'PAID' }],
    ['state', { status: 'STOPPED' }],
    ['state', { status: 'AGREEMENT' }],
    ['state', { daysLate: 0 }],
    ['disputed', { status: 'DISPUTED' }],
    ['prescribed', { prescribed: true }],
    ['hardship', { status: 'ON_HOLD', hardship: true }],
    ['opted_out', { status: 'OPTED_OUT' }],
    ['opted_out', { optedOut: true }],
    ['needs_person', { status: 'ON_HOLD', died: true }],
    ['state', { clientCancelled: true }],
    [null, { status: 'ON_HOLD' }],
    [null, { status: 'EXHAUSTED' }],
  ] as const)('are none (%s) for %j', (expected, change) => {
    expect(reason(change)).toBe(expected);
  });

  it('are none without a policy and above the amount of which a person decides', () => {
    expect(reason({}, null)).toBe('no_policy');
    expect(reason({}, { ...POLICY, personAboveCentavos: 107_999 })).toBe('needs_person');
    expect(reason({}, { ...POLICY, personAboveCentavos: 108_000 })).toBeNull();
  });

  it('are all that may be offered, the oldest first and then in the order of import', () => {
    const debts = [
      { ...debt, debtId: 'd', importedAs: 4 },
      { ...debt, debtId: 'c', dueDate: '2025-12-10', importedAs: 3 },
      { ...debt, debtId: 'b', status: 'DISPUTED' as const },
      debt,
    ];
    expect(offeredDebts(POLICY, debts, 'a')).toMatchObject({
      debts: [{ debtId: 'c' }, { debtId: 'a' }, { debtId: 'd' }],
    });
    expect(offeredDebts(POLICY, debts, 'b')).toEqual({ reason: 'disputed' });
  });
});

it('refuses a policy that contradicts itself', () => {
  const problems = (policy: Partial<OffersPolicy>) =>
    offersPolicyProblems({ ...POLICY, ...policy }).map(({ pointer }) => pointer);
  const band = POLICY.bands[0]!;
  expect(problems({})).toEqual([]);
  expect(problems({ bands: [band, { ...band, fromDays: 90 }] })).toEqual(['/bands/1/fromDays']);
  expect(problems({ bands: [{ ...band, fromDays: 91 }] })).toEqual(['/bands/0/toDays']);
  expect(problems({ bands: [{ ...band, maxDiscountPercent: 100 }] })).toEqual(['/bands/0/maxDiscountPercent']);
  expect(problems({ bands: [{ ...band, maxDiscountPercent: 100 }], discountOn: 'charges' })).toEqual([]);
});

it('makes no offer outside the policy, and its instalments and debts add up to its total', () => {
  fc.assert(
    fc.property(anyPolicy, anyDebts, anyProposal, (rules, owed, proposed) => {
      const asked = context({ debts: owed }, rules);
      const all = owed.reduce((sum, one) => sum + one.principalCentavos + one.chargesCentavos, 0);
      const made = makeOffers(asked);
      expect(made.length).toBeGreaterThanOrEqual(1);
      expect(made.length).toBeLessThanOrEqual(3);
      for (const offer of [...made, ...nearOf(asked, proposed)]) {
        const { totalCentavos, discountCentavos, instalments } = offer;
        expect(totalCentavos + discountCentavos).toBe(all);
        expect(instalments.reduce((sum, { amountCentavos }) => sum + amountCentavos, 0)).toBe(totalCentavos);
        expect(offer.debts.reduce((sum, one) => sum + one.discountCentavos, 0)).toBe(discountCentavos);
        expect(discountCentavos).toBeLessThanOrEqual(made[0]!.discountCentavos);
        offer.debts.forEach((one, at) => {
          expect(one.discountCentavos).toBeGreaterThanOrEqual(0);
          expect(one.discountCentavos).toBeLessThanOrEqual(largestDiscount(rules, owed[at]!));
        });
        expect(instalments.length).toBeLessThanOrEqual(rules.maxInstalments);
        expect(offer.validUntil <= instalments[0]!.dueDate).toBe(true);
        if (instalments.length === 1) continue;
        for (const { amountCentavos } of instalments) {
          expect(amountCentavos).toBeGreaterThanOrEqual(rules.minInstalmentCentavos);
        }
        expect(offer.entryCentavos * 10_000).toBeGreaterThanOrEqual(
          // Without an entry of its own the first is like the others, which is more than a percentage of 0.
          Math.floor(totalCentavos * rules.minEntryPercent * 100) - 1,
        );
      }
    }),
    { numRuns: 500 },
  );
});

it('makes thousands of offers, by policy and by staff, and none is outside its policy', () => {
  expectOffersWithinPolicies(10_000);
});

it('shares out every centavo of a discount, and to no debt more than it may get', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1_000_000_000 }), { minLength: 1, maxLength: 8 }), fc.nat(), (limits, cut) => {
      const most = limits.reduce((sum, limit) => sum + limit, 0);
      const discount = cut % (most + 1);
      const shares = shareDiscount(discount, limits);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(discount);
      shares.forEach((share, at) => {
        expect(share).toBeLessThanOrEqual(limits[at]!);
        if (at < limits.length - 1) expect(Math.abs(share - (discount * limits[at]!) / (most || 1))).toBeLessThan(8);
      });
    }),
    { numRuns: 500 },
  );
});
