import { DAY, type LocalDate, startOfDay } from '../../../kernel/calendar.ts';
import { type DebtStatus, OUTSIDE_SEQUENCE, OWED_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { toReais } from '../../../kernel/money.ts';
import type { StatusFigures } from '../../debts/queries/statistics.ts';
import { AGING_RANGES, agingRange } from '../../debts/rules/debt-aging.ts';
import type { OpenOfDueDate } from '../queries/open-work.ts';

export interface AgingFigures {
  readonly fromDays: number;
  readonly toDays: number | null;
  readonly debts: number;
  readonly amount: number;
}

const daysBetween = (from: LocalDate, to: LocalDate): number => (startOfDay(to, 0) - startOfDay(from, 0)) / DAY;

/** Sums the open debts of each due date by their age. Debts that are not due yet are left out. */
export function agingOf(rows: readonly OpenOfDueDate[], today: LocalDate): AgingFigures[] {
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

export interface OpenFigures extends Sum {
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
export const openOf = (rows: readonly StatusFigures[]): OpenFigures => ({
  ...sumOf(rows, OWED_DEBT_STATUSES),
  outsideSequence: sumOf(rows, OUTSIDE_SEQUENCE),
});
