import type { Account, Policy } from '../../api/client.ts';
import { RULES } from '../../texts/rules.ts';
import { type HolidayDay, holidayDate } from './holiday-dates.ts';

interface Window {
  readonly days: readonly number[];
  readonly from: string;
  readonly to: string;
}

export interface StateHours {
  /** Null for the states without a rule of their own. */
  readonly state: string | null;
  readonly from: string;
  readonly to: string;
}

/** The other members of a rule depend on its kind, so they are read with care. */
type LooseRule = Policy['rules'][number] & { readonly states?: unknown; readonly windows?: unknown };

const isWindow = (value: unknown): value is Window =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value && 'days' in value;

const weekdayWindow = ({ windows }: LooseRule): Window | undefined =>
  (Array.isArray(windows) ? windows.filter(isWindow) : []).find(({ days }) => days.includes(1));

/** Times of a day in one form sort as texts. */
const later = (...times: readonly string[]): string => times.toSorted().at(-1)!;
const earlier = (...times: readonly string[]): string => times.toSorted()[0]!;

/**
 * The hours of each state on working days: its own rules within the one for the whole country, for a company that collects
 * its own debts or those of others.
 */
export function hoursByState(rules: Policy['rules'], collectsFor: Account['collectsFor']): StateHours[] {
  const windows = rules.filter(
    ({ rule, status, binds }) =>
      rule === 'window' && status !== 'bill' && (binds === 'all' || collectsFor === 'others'),
  ) as LooseRule[];
  const general = windows.find(({ states }) => states === 'all');
  const country = general === undefined ? undefined : weekdayWindow(general);
  if (country === undefined) return [];
  const own = windows.flatMap((rule) => {
    const hours = weekdayWindow(rule);
    if (!Array.isArray(rule.states) || hours === undefined) return [];
    return rule.states.map((state) => ({
      state: String(state),
      from: later(hours.from, country.from),
      to: earlier(hours.to, country.to),
    }));
  });
  const byState = [...Map.groupBy(own, ({ state }) => state)].map(([state, hours]) => ({
    state,
    from: later(...hours.map(({ from }) => from)),
    to: earlier(...hours.map(({ to }) => to)),
  }));
  return [
    ...byState.toSorted((a, b) => a.state.localeCompare(b.state)),
    { state: null, from: country.from, to: country.to },
  ];
}

export interface HolidayRow {
  readonly date: string;
  readonly name: string;
  readonly law: string;
}

interface Holiday {
  readonly name: string;
  readonly on: HolidayDay;
  readonly law?: string;
  readonly from?: number;
  readonly to?: number;
}

interface Holidays {
  readonly nation?: { readonly holidays?: readonly Holiday[] };
  readonly states?: Readonly<Record<string, { readonly holidays?: readonly Holiday[] } | undefined>>;
}

/** The states that have holidays of their own. */
export const statesOf = (holidays: Policy['holidays']): string[] =>
  Object.keys((holidays as Holidays).states ?? {}).toSorted();

/** The holidays of a year, the national ones or those of a state, in order. */
export function holidaysOf(holidays: Policy['holidays'], state: string, year: number): HolidayRow[] {
  const { nation, states } = holidays as Holidays;
  const found = (state === '' ? nation : states?.[state])?.holidays ?? [];
  return found
    .filter(({ from, to }) => (from ?? year) <= year && (to ?? year) >= year)
    .map(({ name, on, law }) => ({ date: holidayDate(on, year), name, law: law ?? '' }))
    .toSorted((a, b) => a.date.localeCompare(b.date));
}

export interface SequenceStep {
  readonly kind: string;
  readonly tone: string;
  readonly thenWaitDays: number;
}

export const stepsOf = (sequence: Policy['sequence']): readonly SequenceStep[] =>
  Array.isArray(sequence['steps']) ? (sequence['steps'] as SequenceStep[]) : [];

/** The source of a rule in Portuguese: the pack says in English what the product chose. */
export const sourceText = ({ id, source }: Pick<Policy['rules'][number], 'id' | 'source'>): string =>
  RULES.sources[id] ?? source.replace(/^Choice of the product(?:; )?/, '').replaceAll(' and ', ' e ');
