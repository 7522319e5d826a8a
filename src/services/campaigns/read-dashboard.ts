import { addDays, type LocalDate } from '../../domain/calendar.ts';
import { toReais } from '../../domain/money.ts';
import { statisticsDay } from '../../domain/statistics-day.ts';
import type { ServiceDeps } from '../deps.ts';
import {
  COUNTER_COLUMNS,
  type CountersRow,
  type RecoveryFigures,
  recoveryFigures,
  STATUS_COLUMNS,
  type StatusRow,
} from './recovery-figures.ts';

const DAYS = 30;

export interface DashboardDay {
  readonly date: LocalDate;
  readonly contacts: number;
  readonly payments: number;
  readonly recovered: number;
}

export interface Dashboard extends RecoveryFigures {
  readonly daily: DashboardDay[];
}

/** A campaign that was never launched counts as sandbox or real by what a launch on this deployment would make it. */
const CAMPAIGNS = `client_id = $1 and campaign_id in (
  select id from campaigns where client_id = $1 and coalesce(sandbox, $2) = $3)`;

export const dashboardByStatus = {
  name: 'dashboard_by_status',
  text: `select ${STATUS_COLUMNS} from campaign_status_counts where ${CAMPAIGNS} group by status`,
};

const counters = {
  name: 'dashboard_counters',
  text: `select ${COUNTER_COLUMNS} from campaign_days where ${CAMPAIGNS}`,
};

const days = {
  name: 'dashboard_days',
  text: `select day, ${COUNTER_COLUMNS} from campaign_days where ${CAMPAIGNS} and day >= $4 group by day`,
};

/** Returns one entry per day, oldest first and today last, including days on which nothing happened. */
function dailyOf(rows: readonly (CountersRow & { readonly day: LocalDate })[], first: LocalDate): DashboardDay[] {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: DAYS }, (_, index) => {
    const date = addDays(first, index);
    const row = byDay.get(date);
    return {
      date,
      contacts: row?.sent ?? 0,
      payments: row?.approved ?? 0,
      recovered: toReais(row?.recovered ?? 0),
    };
  });
}

export const readDashboard =
  ({ db, now, sandboxOnly }: Pick<ServiceDeps, 'db' | 'now' | 'sandboxOnly'>) =>
  async ({ clientId, sandbox }: { clientId: string; sandbox: boolean }): Promise<Dashboard> => {
    const params = [clientId, sandboxOnly, sandbox];
    const first = addDays(statisticsDay(now()), 1 - DAYS);
    const [statuses, [totals], daily] = await Promise.all([
      db.read<StatusRow>({ clientId }, dashboardByStatus, params),
      db.read<CountersRow>({ clientId }, counters, params),
      db.read<CountersRow & { day: LocalDate }>({ clientId }, days, [...params, first]),
    ]);
    return { ...recoveryFigures(statuses, totals!), daily: dailyOf(daily, first) };
  };
