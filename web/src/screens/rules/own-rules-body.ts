import type { ChangeOwnRulesBody, OwnRules } from '../../api/client.ts';
import { hoursOfFields } from '../../time-field.ts';

export const KEY = ['policy', 'own'] as const;

type Weekday = NonNullable<OwnRules['weekdays']>[number];

const WORKING_DAYS = 5;
const HOURS_OF_DAY = 24;

type Cap = OwnRules['caps'][number];

/** The first cap in whole days, as the form shows it. */
export const capFields = (cap: Cap | undefined): { readonly count: string; readonly perDays: string } =>
  cap === undefined
    ? { count: '', perDays: '' }
    : { count: String(cap.count), perDays: String(Math.max(1, Math.round(cap.hours / HOURS_OF_DAY))) };

/** Whether the form shows the cap as it is. */
export const isInDays = ({ hours }: Cap): boolean => hours % HOURS_OF_DAY === 0;

interface RulesForm {
  readonly from: string;
  readonly to: string;
  readonly days: readonly Weekday[];
  readonly count: string;
  readonly perDays: string;
  readonly daysAfterDue: string;
}

/**
 * What the form holds, as the route takes it: an empty field is no rule. The form has fields for one cap, in days, and for
 * times before 24:00; the hours that nobody has edited and the other caps stay as they are.
 */
export function bodyOf(rules: Pick<OwnRules, 'caps' | 'hours'>, form: RulesForm): ChangeOwnRulesBody {
  const [shown, ...others] = rules.caps;
  const { from, to, days, count, perDays, daysAfterDue } = form;
  const hours =
    shown !== undefined && perDays === capFields(shown).perDays ? shown.hours : Number(perDays || '1') * HOURS_OF_DAY;
  return {
    hours: hoursOfFields(rules.hours, { from, to }),
    weekdays: days.length === WORKING_DAYS ? null : [...days],
    caps: [...(count === '' ? [] : [{ count: Number(count), hours }]), ...others],
    daysAfterDue: daysAfterDue === '' ? null : Number(daysAfterDue),
  };
}
