import { addDays, type LocalDate } from '../../../kernel/calendar.ts';
import { type DebtStatus, OUTSIDE_SEQUENCE, OWED_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { toReais } from '../../../kernel/money.ts';
import { statisticsDay } from '../../../kernel/statistics-day.ts';
import { AGREEMENTS_OF_DASHBOARD } from '../../agreements/queries/agreement-figures.ts';
import {
  COUNTERS_OF_DASHBOARD,
  type CountersOfDay,
  DAYS_OF_DASHBOARD,
  STATUSES_OF_DASHBOARD,
  type StatusFigures,
} from '../../debts/queries/statistics.ts';
import type { SharedDeps } from '../../deps.ts';
import { OPEN_BY_DUE_DATE, WAITING_DEBTS } from '../queries/open-work.ts';
import { type AgingFigures, agingOf, type RecoveryFigures, recoveryFigures } from './read-statistics.ts';

interface Sum {
  readonly debts: number;
  readonly amount: number;
}

interface OpenFigures extends Sum {
  readonly outsideSequence: Sum;
}

function sumOf(rows: readonly StatusFigures[], statuses: readonly DebtStatus[]): Sum {
  const counted = rows.filter(({ status }) => statuses.includes(status));
  return {
    debts: counted.reduce((sum, { debts }) => sum + debts, 0),
    amount: toReais(counted.reduce((sum, { centavos }) => sum + centavos, 0)),
  };
}

/** Sums what is still owed, due or not, and the part of it that no sequence of messages is for. */
const openOf = (rows: readonly StatusFigures[]): OpenFigures => ({
  ...sumOf(rows, OWED_DEBT_STATUSES),
  outsideSequence: sumOf(rows, OUTSIDE_SEQUENCE),
});

const DAYS = 30;

export interface DashboardDay {
  readonly date: LocalDate;
  readonly contacts: number;
  readonly payments: number;
  readonly recovered: number;
}

export interface Dashboard extends RecoveryFigures {
  readonly daily: DashboardDay[];
  readonly aging: AgingFigures[];
  readonly open: OpenFigures;
  readonly promises: { readonly open: number; readonly kept: number; readonly broken: number };
  readonly waiting: number;
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
    const today = statisticsDay(now().getTime());
    const firstDay = addDays(today, 1 - DAYS);
    const [statuses, [totals], daily, due, [work], agreements] = await Promise.all([
      db.readPrepared({ clientId }, STATUSES_OF_DASHBOARD, params),
      db.readPrepared({ clientId }, COUNTERS_OF_DASHBOARD, params),
      db.readPrepared({ clientId }, DAYS_OF_DASHBOARD, { ...params, firstDay }),
      db.readPrepared({ clientId }, OPEN_BY_DUE_DATE, { ...params, today }),
      db.readPrepared({ clientId }, WAITING_DEBTS, params),
      db.readPrepared({ clientId }, AGREEMENTS_OF_DASHBOARD, params),
    ]);
    const figures = recoveryFigures({ statuses, counters: totals!, agreements, today });
    const { promisesKept: kept, promisesBroken: broken } = totals!;
    return {
      ...figures,
      daily: dailyOf(daily, firstDay),
      aging: agingOf(due, today),
      open: openOf(statuses),
      promises: { open: figures.debts.byStatus.PROMISED, kept, broken },
      waiting: work!.waiting,
    };
  };
