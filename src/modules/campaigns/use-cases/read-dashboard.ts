import { addDays, daysBetween, type LocalDate } from '../../../kernel/calendar.ts';
import { type DebtStatus, OUTSIDE_SEQUENCE, OWED_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { toReais } from '../../../kernel/money.ts';
import { statisticsDay } from '../../../kernel/statistics-day.ts';
import {
  COUNTERS_OF_DASHBOARD,
  type CountersOfDay,
  DAYS_OF_DASHBOARD,
  STATUSES_OF_DASHBOARD,
  type StatusFigures,
} from '../../debts/queries/statistics.ts';
import { AGING_RANGES, agingRange } from '../../debts/rules/debt-aging.ts';
import type { SharedDeps } from '../../deps.ts';
import { OPEN_BY_DUE_DATE, type OpenOfDueDate, WAITING_DEBTS } from '../queries/open-work.ts';
import { type RecoveryFigures, recoveryFigures } from './read-statistics.ts';

interface AgingFigures {
  readonly fromDays: number;
  readonly toDays: number | null;
  readonly debts: number;
  readonly amount: number;
}

/** Sums the open debts of each due date by their age. Debts that are not due yet are left out. */
function agingOf(rows: readonly OpenOfDueDate[], today: LocalDate): AgingFigures[] {
  const sums = new Map(AGING_RANGES.map((range) => [range, { debts: 0, centavos: 0 }]));
  for (const { dueDate, debts, centavos } of rows) {
    const range = agingRange(daysBetween(dueDate, today));
    const sum = range === null ? undefined : sums.get(range);
    if (sum === undefined) continue;
    sum.debts += debts;
    sum.centavos += centavos;
  }
  return [...sums].map(([range, { debts, centavos }]) => ({ ...range, debts, amount: toReais(centavos) }));
}

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
    const [statuses, [totals], daily, due, [work]] = await Promise.all([
      db.readPrepared({ clientId }, STATUSES_OF_DASHBOARD, params),
      db.readPrepared({ clientId }, COUNTERS_OF_DASHBOARD, params),
      db.readPrepared({ clientId }, DAYS_OF_DASHBOARD, { ...params, firstDay }),
      db.readPrepared({ clientId }, OPEN_BY_DUE_DATE, { ...params, today }),
      db.readPrepared({ clientId }, WAITING_DEBTS, params),
    ]);
    const figures = recoveryFigures(statuses, totals!);
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
