import type { ChangeOffersPolicyBody, OffersPolicy, PreviewOffersBody } from '../../api/client.ts';
import { inReais, parseReais } from '../../reais.ts';

/** One band of the form, with a key that stays when others are removed. */
export interface BandForm {
  readonly key: number;
  readonly fromDays: string;
  readonly toDays: string;
  readonly maxDiscountPercent: string;
}

/** The form as it is typed. */
export interface PolicyForm {
  readonly bands: readonly BandForm[];
  readonly discountOn: OffersPolicy['discountOn'];
  readonly minEntryPercent: string;
  readonly minInstalment: string;
  readonly maxInstalments: string;
  readonly maxDaysToFirst: string;
  readonly holdDays: string;
  readonly maxOffers: string;
  readonly personAbove: string;
  readonly afterDays: string;
  readonly afterBreach: OffersPolicy['breach']['then'];
  readonly graceMoves: string;
  readonly amount: string;
  readonly daysLate: string;
}

/** A careful beginning: charges alone are discounted, and an agreement that is broken costs the company nothing. */
const FIRST: OffersPolicy = {
  bands: [
    { fromDays: 31, toDays: 90, maxDiscountPercent: 50 },
    { fromDays: 91, toDays: null, maxDiscountPercent: 100 },
  ],
  discountOn: 'charges',
  minEntryPercent: 20,
  minInstalment: 50,
  maxInstalments: 6,
  maxDaysToFirst: 10,
  holdDays: 5,
  maxOffers: 3,
  personAbove: null,
  // biome-ignore lint/suspicious/noThenProperty: the API names it so, and nobody awaits a policy.
  breach: { afterDays: 15, then: 'restore' },
  graceMoves: 1,
};

/** `1.5` as `1,5`. */
const written = (value: number): string => String(value).replace('.', ',');

/** The form begins with the policy, or with a careful one where there is none. */
export function formOf(stored: OffersPolicy | null): PolicyForm {
  const policy = stored ?? FIRST;
  return {
    bands: policy.bands.map(({ fromDays, toDays, maxDiscountPercent }, key) => ({
      key,
      fromDays: String(fromDays),
      toDays: toDays === null ? '' : String(toDays),
      maxDiscountPercent: written(maxDiscountPercent),
    })),
    discountOn: policy.discountOn,
    minEntryPercent: written(policy.minEntryPercent),
    minInstalment: inReais(policy.minInstalment),
    maxInstalments: String(policy.maxInstalments),
    maxDaysToFirst: String(policy.maxDaysToFirst),
    holdDays: String(policy.holdDays),
    maxOffers: String(policy.maxOffers),
    personAbove: policy.personAbove === null ? '' : inReais(policy.personAbove),
    afterDays: String(policy.breach.afterDays),
    afterBreach: policy.breach.then,
    graceMoves: String(policy.graceMoves),
    amount: '1.000,00',
    daysLate: '100',
  };
}

/** The next band begins where the last one ends. */
export function withBand(bands: readonly BandForm[]): readonly BandForm[] {
  const last = bands.at(-1);
  const from = last === undefined ? '1' : last.toDays === '' ? '' : String(Number(last.toDays) + 1);
  const key = Math.max(-1, ...bands.map((band) => band.key)) + 1;
  return [...bands, { key, fromDays: from, toDays: '', maxDiscountPercent: '' }];
}

/** What is none becomes `null` in the request, and the service names the field. */
const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.')));

/** An amount that cannot be read is sent as zero, for the service to refuse: nothing would mean that there is no limit. */
const reaisOf = (text: string): number => parseReais(text) ?? 0;

/** What the form holds, as the route takes it. */
export const bodyOf = (form: PolicyForm): NonNullable<ChangeOffersPolicyBody> => ({
  bands: form.bands.map(({ fromDays, toDays, maxDiscountPercent }) => ({
    fromDays: numberOf(fromDays),
    toDays: toDays.trim() === '' ? null : numberOf(toDays),
    maxDiscountPercent: numberOf(maxDiscountPercent),
  })),
  discountOn: form.discountOn,
  minEntryPercent: numberOf(form.minEntryPercent),
  minInstalment: reaisOf(form.minInstalment),
  maxInstalments: numberOf(form.maxInstalments),
  maxDaysToFirst: numberOf(form.maxDaysToFirst),
  holdDays: numberOf(form.holdDays),
  maxOffers: numberOf(form.maxOffers),
  personAbove: form.personAbove.trim() === '' ? null : reaisOf(form.personAbove),
  // biome-ignore lint/suspicious/noThenProperty: the API names it so, and nobody awaits a policy.
  breach: { afterDays: numberOf(form.afterDays), then: form.afterBreach },
  graceMoves: numberOf(form.graceMoves),
});

/** What the example asks; null while it is being typed. */
export function previewOf(form: PolicyForm): PreviewOffersBody | null {
  const amount = parseReais(form.amount);
  const daysLate = numberOf(form.daysLate);
  return amount === null || Number.isNaN(daysLate) ? null : { ...bodyOf(form), example: { amount, daysLate } };
}
