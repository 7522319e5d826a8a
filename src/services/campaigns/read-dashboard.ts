import {
  COUNTERS_OF_DASHBOARD,
  type CountersOfDay,
  DAYS_OF_DASHBOARD,
  STATUSES_OF_DASHBOARD,
} from '../../db/queries/statistics.ts';
import { addDays, type LocalDate } from '../../domain/calendar.ts';
import { toReais } from '../../domain/money.ts';
import { statisticsDay } from '../../domain/statistics-day.ts';
import type { SharedDeps } from '../shared/deps.ts';
import { type RecoveryFigures, recoveryFigures } from './recovery-figures.ts';

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

/** Returns one entry per day, oldest first and today last, including days on which nothing happened. */
function dailyOf(rows: readonly CountersOfDay[], first: LocalDate): DashboardDay[] {
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
  ({ db, now, sandboxOnly }: Pick<SharedDeps, 'db' | 'now' | 'sandboxOnly'>) =>
  async ({ clientId, sandbox }: { clientId: string; sandbox: boolean }): Promise<Dashboard> => {
    const params = { clientId, sandbox, sandboxOnly };
    const firstDay = addDays(statisticsDay(now().getTime()), 1 - DAYS);
    const [statuses, [totals], daily] = await Promise.all([
      db.readPrepared({ clientId }, STATUSES_OF_DASHBOARD, params),
      db.readPrepared({ clientId }, COUNTERS_OF_DASHBOARD, params),
      db.readPrepared({ clientId }, DAYS_OF_DASHBOARD, { ...params, firstDay }),
    ]);
    return { ...recoveryFigures(statuses, totals!), daily: dailyOf(daily, firstDay) };
  };
