import type { ChangeOwnRulesBody, OwnRules } from '../../api/client.ts';

export const KEY = ['policy', 'own'] as const;

type Weekday = NonNullable<OwnRules['weekdays']>[number];

const WORKING_DAYS = 5;

/** What the form holds, as the route takes it: an empty field is no rule. */
export function bodyOf(form: {
  readonly from: string;
  readonly to: string;
  readonly days: readonly Weekday[];
  readonly count: string;
  readonly perDays: string;
  readonly daysAfterDue: string;
}): ChangeOwnRulesBody {
  const { from, to, days, count, perDays, daysAfterDue } = form;
  return {
    hours: from === '' && to === '' ? null : { from, to },
    weekdays: days.length === WORKING_DAYS ? null : [...days],
    caps: count === '' ? [] : [{ count: Number(count), hours: Number(perDays || '1') * 24 }],
    daysAfterDue: daysAfterDue === '' ? null : Number(daysAfterDue),
  };
}
