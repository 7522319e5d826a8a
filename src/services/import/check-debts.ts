import type { Batch } from './batch.ts';
import { type CheckedDebt, checkDebt, invoiceIdOf } from './check-debt.ts';
import { type DebtProblem, type ImportProblem, importProblem } from './import-problem.ts';

export interface CheckedDebts {
  readonly sent: number;
  readonly debts: readonly CheckedDebt[];
  readonly problems: readonly ImportProblem[];
  /** Of a CSV: the spreadsheet's row of each element. Otherwise empty. */
  readonly rows: readonly number[];
}

/**
 * A debt is one that was there before by its invoice, or, where it has none, by person, amount and due date. The database
 * is asked the same question by `store-debts.ts`. Remembers those that were not.
 */
function createMemory(): (debt: CheckedDebt) => boolean {
  const invoices = new Set<string>();
  const sums = new Set<string>();
  return ({ invoiceId, debtorCpf, originalAmountCentavos, dueDate }) => {
    const sum = `${debtorCpf}:${originalAmountCentavos}:${dueDate}`;
    if (invoiceId === null ? sums.has(sum) : invoices.has(invoiceId)) return true;
    if (invoiceId !== null) invoices.add(invoiceId);
    sums.add(sum);
    return false;
  };
}

const invoiceOf = (element: unknown): string | null =>
  element !== null && typeof element === 'object' && 'invoiceId' in element ? invoiceIdOf(element.invoiceId) : null;

export const duplicateOf = ({ invoiceId }: CheckedDebt): DebtProblem =>
  invoiceId === null ? { code: 'duplicate' } : { field: 'invoiceId', code: 'duplicate' };

/**
 * Every element by itself, and against those before it in the same call. Batches are let go once read, and whoever makes
 * them lets other requests in between two of them.
 */
export async function checkDebts(batches: AsyncIterable<Batch>): Promise<CheckedDebts> {
  const debts: CheckedDebt[] = [];
  const problems: ImportProblem[] = [];
  const rows: number[] = [];
  const wasThere = createMemory();
  let index = 0;
  const check = (element: unknown, row: number | undefined): void => {
    const report = (found: DebtProblem, invoiceId: string | null) =>
      problems.push(importProblem({ index, invoiceId, row }, found));
    const checked = checkDebt(element, index);
    if ('length' in checked) {
      const invoiceId = invoiceOf(element);
      for (const found of checked) report(found, invoiceId);
      return;
    }
    if (wasThere(checked)) {
      report(duplicateOf(checked), checked.invoiceId);
      return;
    }
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
