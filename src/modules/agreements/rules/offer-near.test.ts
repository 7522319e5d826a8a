import { describe, expect, it } from '@jest/globals';
import { loadPolicy } from '../../policy/use-cases/load-policy.ts';
import { offerNear, type Proposal, standingNear } from './offer-near.ts';
import { makeOffers, type Offer, type OfferContext, possibleOffers } from './offers.ts';
import type { OffersPolicy } from './offers-policy.ts';

const POLICY: OffersPolicy = {
  bands: [{ fromDays: 1, toDays: null, maxDiscountPercent: 30 }],
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
/** A Thursday. */
const TODAY = '2026-07-09';
const context = (policy: Partial<OffersPolicy> = {}, today = TODAY): OfferContext => ({
  policy: { ...POLICY, ...policy },
  debts: [{ debtId: 'a', dueDate: '2026-01-10', daysLate: 180, principalCentavos: 100_000, chargesCentavos: 8_000 }],
  today,
  calendar: { holidays: loadPolicy().holidays, states: ['SP'] },
  nextNumber: 4,
});
const countOf = (offer: Offer | null): number | undefined => offer?.instalments.length;
const near = (proposal: Proposal, policy: Partial<OffersPolicy> = {}) => offerNear(context(policy), proposal);
const withCount = (count: number): Offer => possibleOffers(context())[count - 1]!;

describe('the nearest offer', () => {
  it('to an amount has instalments that come nearest to it, whatever count is said beside it', () => {
    expect(near({ monthlyCentavos: 20_000 })).toMatchObject({ number: 4, kind: 'instalments', totalCentavos: 108_000 });
    const counts = [20_000, 30_000, 100, 500_000].map((monthlyCentavos) => countOf(near({ monthlyCentavos })));
    expect(counts).toEqual([5, 3, 12, 1]);
    expect(countOf(near({ monthlyCentavos: 20_000, count: 10 }))).toBe(5);
  });

  it('to a count has as many instalments, or as near to it as the policy allows', () => {
    expect([1, 5, 12, 60].map((count) => countOf(near({ count })))).toEqual([1, 5, 12, 12]);
    expect(countOf(near({ count: 5 }, { maxInstalments: 3 }))).toBe(3);
    expect(countOf(near({ count: 5 }, { minInstalmentCentavos: 50_000 }))).toBe(1);
  });

  it.each([
    // 14 July 2026 is a Tuesday, 18 July a Saturday.
    ['is on it', '2026-07-13', '2026-07-13', '2026-07-13'],
    ['is on it, and the offer ends no later than every other', '2026-07-17', '2026-07-17', '2026-07-14'],
    ['is on the business day after it', '2026-07-18', '2026-07-20', '2026-07-14'],
    ['is as late as the policy waits', '2026-08-10', '2026-07-20', '2026-07-14'],
    ['is today, which is a holiday in São Paulo', TODAY, '2026-07-10', TODAY],
    ['is on the same day of a later month, where the clock is ahead', '2026-06-10', '2026-07-10', '2026-07-10'],
  ])('with a wished day %s', (_, firstDay, dueDate, validUntil) => {
    const offer = near({ count: 3, firstDay })!;
    expect(offer.instalments[0]).toMatchObject({ dueDate });
    expect(offer.validUntil).toBe(validUntil);
  });

  it('keeps the day of the month where a month has it, and else takes its last', () => {
    const february = context({ maxDaysToFirst: 40 }, '2027-02-08');
    const dates = (firstDay: string) =>
      offerNear(february, { count: 3, firstDay })!.instalments.map(({ dueDate }) => dueDate);
    expect(dates('2027-02-26')).toEqual(['2027-02-26', '2027-03-29', '2027-04-26']);
    // A clock that is ahead: the 31st of January means the last of February, a Sunday.
    expect(dates('2027-01-31')[0]).toBe('2027-03-01');
  });

  it('to a day alone is the one that was shown alone, or else what is paid off first', () => {
    const offer = offerNear(context(), { firstDay: '2026-07-17' }, [withCount(5)])!;
    expect(offer.instalments).toHaveLength(5);
    expect(offer.instalments[0]!.dueDate).toBe('2026-07-17');
    expect(countOf(offerNear(context(), { firstDay: '2026-07-17' }, makeOffers(context())))).toBe(1);
  });

  it('to what was too dear has the next smaller instalment, as long as there is one', () => {
    const cheaper = (count: number) => countOf(offerNear(context(), { isCheaper: true }, [withCount(count)]));
    expect([1, 3, 5, 11].map(cheaper)).toEqual([2, 4, 6, 12]);
    expect(cheaper(12)).toBeUndefined();
  });

  it('keeps the day of the offer that was shown alone, though a Saturday had moved it', () => {
    const shown = near({ count: 5, firstDay: '2026-07-11' })!;
    expect(shown.instalments[0]!.dueDate).toBe('2026-07-13');
    const offer = offerNear(context(), { isCheaper: true }, [shown])!;
    expect(offer.instalments.map(({ dueDate }) => dueDate).slice(0, 2)).toEqual(['2026-07-13', '2026-08-11']);
  });
});

describe('a standing offer', () => {
  const standing = makeOffers(context());
  const [cash, few, many] = standing as [Offer, Offer, Offer];
  const found = (proposal: Proposal, shown: readonly Offer[] = standing, all = standing) =>
    standingNear(context(), { standing: all, shown }, proposal);

  it('with the wished count is made no second time', () => {
    expect(found({ count: 3 })).toBe(few);
    expect(found({ count: 1 }, [])).toBe(cash);
    expect(found({ count: 5 })).toBeNull();
    expect(found({ count: 3, firstDay: '2026-07-17' })).toBeNull();
    // An earlier offer of staff asks for less.
    const better = { ...few, number: 9, totalCentavos: 80_000 };
    expect(found({ count: 3 }, standing, [...standing, better])).toBe(better);
    // The debtor goes on about a plan that begins on another day.
    expect(found({ count: 3 }, [near({ count: 5, firstDay: '2026-07-17' })!])).toBeNull();
  });

  it('with the smallest instalment of the policy answers whom several were too dear', () => {
    expect(found({ isCheaper: true })).toBe(many);
    expect(found({ isCheaper: true }, [many])).toBeNull();
    expect(found({ isCheaper: true }, [cash, few])).toBeNull();
  });
});
