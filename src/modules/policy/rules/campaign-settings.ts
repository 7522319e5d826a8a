import { addDays, localDate } from '../../../kernel/calendar.ts';
import type { HolidayCalendar } from '../../../kernel/holidays.ts';
import { AREA_CODES, placeOfAll } from '../../../kernel/phone.ts';
import { type Frame, openIntervals } from './contact-window.ts';
import {
  type BindingPack,
  type CapRule,
  CHANNELS,
  type Channel,
  type PolicyRule,
  type WindowRule,
} from './policy-pack.ts';

/** Hours of a day at the debtor's place, such as `09:00`. The first belongs to them, the last does not. */
export interface ContactHours {
  readonly from: string;
  readonly to: string;
}

/** Rules of a client for all its campaigns. They are added to the deployment's pack, so they can only be stricter. */
export interface OwnRules {
  readonly hours: ContactHours | null;
  /** The days of the week on which contacts are made; 0 is Sunday. */
  readonly weekdays: readonly number[] | null;
  readonly caps: readonly { readonly count: number; readonly hours: number }[];
  /** How many days after the due date the first contact is made at the earliest. */
  readonly daysAfterDue: number | null;
}

/** Each change is a version, which verdicts name. */
export interface VersionedOwnRules {
  readonly version: number;
  readonly rules: OwnRules;
}

/** When and by which channel a person wants to be written to. It only ever forbids more. */
export interface DebtorPreference {
  readonly hours: ContactHours | null;
  /** The days of the week; 0 is Sunday. */
  readonly weekdays: readonly number[] | null;
  readonly channel: Channel | null;
}

/** A pack with the rules of the client and of the campaign. Verdicts name the client's version beside the pack's. */
export type StricterPack = BindingPack & { readonly ownVersion?: number };

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
const WHOLE_DAY: ContactHours = { from: '00:00', to: '24:00' };

/** The longest period of a client's cap is the longest one of the law, because the gate looks no farther back. */
export const MAX_CAP_HOURS = 168;

export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const record = (id: string, source: string) => ({
  id,
  status: 'product' as const,
  source,
  foundAt: [],
  note: null,
  checkedAt: null,
  statusProof: null,
  binds: 'all' as const,
  effectiveFrom: null,
  effectiveTo: null,
  channels: 'all' as const,
  states: 'all' as const,
});

const BY_CLIENT = 'The client decided it for all its campaigns';
const BY_CAMPAIGN = 'The client decided it for this campaign';
const BY_PERSON = 'The person asked for it';

/** The name by which verdicts tell what a person asked for. */
export const DEBTOR_PREFERENCE = 'debtor-preference';

const windowRule = (id: string, source: string, hours: ContactHours, days: readonly number[]): WindowRule => ({
  ...record(id, source),
  rule: 'window',
  windows: [{ days, from: minutesOf(hours.from), to: minutesOf(hours.to) }],
});

function rulesOfClient({ hours, weekdays, caps, daysAfterDue }: OwnRules): PolicyRule[] {
  const capRules = caps.map(
    ({ count, hours: period }, index): CapRule => ({
      ...record(`client.cap.${index + 1}`, BY_CLIENT),
      rule: 'caps',
      count,
      period: { hours: period },
      countedPer: ['person', 'phone'],
    }),
  );
  return [
    ...(hours === null && weekdays === null
      ? []
      : [windowRule('client.hours', BY_CLIENT, hours ?? WHOLE_DAY, weekdays ?? EVERY_DAY)]),
    ...capRules,
    ...(daysAfterDue === null ? [] : [{ ...record('client.due', BY_CLIENT), rule: 'due' as const, daysAfterDue }]),
  ];
}

/** Every channel has one rule of this name: the person's hours, or none at all where another channel is wanted. */
function rulesOfPerson({ hours, weekdays, channel }: DebtorPreference): PolicyRule[] {
  const wanted = windowRule(DEBTOR_PREFERENCE, BY_PERSON, hours ?? WHOLE_DAY, weekdays ?? EVERY_DAY);
  if (channel === null) return [wanted];
  const others = CHANNELS.filter((one) => one !== channel);
  return [
    { ...wanted, channels: [channel] },
    { ...wanted, channels: others, windows: [] },
  ];
}

/** The same settings give the same pack, because what follows from a pack is remembered with it. */
const MAX_PACKS_KEPT = 1_000;
const stricterPacks = new WeakMap<BindingPack, Map<string, StricterPack>>();

/**
 * Adds the rules of the client and of the campaign, and what the person prefers, to the deployment's pack. Every rule of a pack has to allow a contact,
 * so a moment that the result allows is allowed by the pack alone too.
 */
export function stricterPack(
  pack: BindingPack,
  own: VersionedOwnRules | null,
  campaignHours: ContactHours | null,
  preference: DebtorPreference | null = null,
): StricterPack {
  if (own === null && campaignHours === null && preference === null) return pack;
  const known = stricterPacks.get(pack) ?? new Map<string, StricterPack>();
  stricterPacks.set(pack, known);
  const name = JSON.stringify([own, campaignHours, preference]);
  const found = known.get(name);
  if (found !== undefined) return found;
  if (known.size >= MAX_PACKS_KEPT) known.clear();
  const made = withRules(pack, own, campaignHours, preference);
  known.set(name, made);
  return made;
}

function withRules(
  pack: BindingPack,
  own: VersionedOwnRules | null,
  campaignHours: ContactHours | null,
  preference: DebtorPreference | null,
): StricterPack {
  const added = [
    ...(own === null ? [] : rulesOfClient(own.rules)),
    ...(campaignHours === null
      ? []
      : [
          windowRule(`campaign.hours.${campaignHours.from}-${campaignHours.to}`, BY_CAMPAIGN, campaignHours, EVERY_DAY),
        ]),
    ...(preference === null ? [] : rulesOfPerson(preference)),
  ];
  return { ...pack, rules: [...pack.rules, ...added], ...(own === null ? {} : { ownVersion: own.version }) };
}

/** The area codes of all phones of one debtor, who may be in the place of any of them. */
export type AreaCodes = readonly [string, ...string[]];

/** Every debtor has one of these, or several. */
export const EACH_AREA_CODE: readonly AreaCodes[] = AREA_CODES.map((code) => [code]);
export const ALL_AREA_CODES = AREA_CODES as AreaCodes;

/** Returns those debtors, by the area codes of their phones, who could not be contacted at any moment of a week. */
export function withoutWindow<Codes extends AreaCodes>(
  pack: BindingPack,
  holidays: HolidayCalendar,
  now: number,
  debtors: readonly Codes[],
): readonly Codes[] {
  const today = localDate(now, -3);
  const week = Array.from({ length: 7 }, (_, day) => addDays(today, day));
  return debtors.filter(([areaCode, ...others]) => {
    const place = placeOfAll(areaCode, others);
    const rules = pack.rules.filter(
      ({ rule, states }) =>
        rule !== 'holidays' && (states === 'all' || states.some((one) => place.states.includes(one))),
    );
    const frame: Frame = { rules, holidays, place };
    return !week.some((date) => openIntervals(frame, date).length > 0);
  });
}
