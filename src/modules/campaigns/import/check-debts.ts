import { dueDatesAround } from '../../debts/rules/due-dates.ts';
import { type CheckedDebt, checkDebt, invoiceIdOf } from './check-debt.ts';
import { type DebtProblem, type ImportProblem, importProblem } from './import-problem.ts';
import { createSeenDebts, sumOf } from './seen-debts.ts';

/** Consecutive elements of an import, in the order in which they were sent. */
export interface Batch {
  readonly elements: readonly unknown[];
  /** Only for a CSV: the spreadsheet row of each element. */
  readonly rows?: readonly number[];
}

/**
 * Checking a batch takes about 5 ms, and 30 ms when every debt has as many odd phones as it may have. The event loop
 * answers other requests between two batches.
 */
export const BATCH_ELEMENTS = 250;

export interface CheckedDebts {
  readonly sent: number;
  readonly debts: readonly CheckedDebt[];
  readonly problems: readonly ImportProblem[];
  /** The spreadsheet row of each element of a CSV. The list is empty for a JSON import. */
  readonly rows: readonly number[];
}

const invoiceOf = (element: unknown): string | null =>
  element !== null && typeof element === 'object' && 'invoiceId' in element ? invoiceIdOf(element.invoiceId) : null;

export const duplicateOf = ({ invoiceId }: CheckedDebt): DebtProblem =>
  invoiceId === null ? { code: 'duplicate' } : { field: 'invoiceId', code: 'duplicate' };

/**
 * Checks every element by itself and against the earlier elements of the same call. No batch is kept after it was read.
 * The producer of the batches yields to the event loop between two of them.
 */
export async function checkDebts(batches: AsyncIterable<Batch>, now: Date): Promise<CheckedDebts> {
  const limits = { dueDates: dueDatesAround(now), now: now.getTime() };
  const debts: CheckedDebt[] = [];
  const problems: ImportProblem[] = [];
  const rows: number[] = [];
  const seen = createSeenDebts();
  let index = 0;
  const check = (element: unknown, row: number | undefined): void => {
    const report = (found: DebtProblem, invoiceId: string | null) =>
      problems.push(importProblem({ index, invoiceId, row }, found));
    const checked = checkDebt(element, index, limits);
    if ('length' in checked) {
      const invoiceId = invoiceOf(element);
      for (const found of checked) report(found, invoiceId);
      return;
    }
    if (seen.has(checked)) {
      report(duplicateOf(checked), checked.invoiceId);
      return;
    }
    seen.add({ invoiceKey: checked.invoiceKey, sum: sumOf(checked) });
    debts.push(checked);
  };
  for await (const batch of batches) {
    for (const [at, element] of batch.elements.entries()) {
      check(element, batch.rows?.[at]);
      index++;
    }
    if (batch.rows !== undefined) rows.push(...batch.rows);
  }
  return { sent: index, debts, problems, rows };
}
