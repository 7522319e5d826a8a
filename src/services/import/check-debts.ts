import { setImmediate as breathe } from 'node:timers/promises';
import { type CheckedDebt, checkDebt, invoiceIdOf } from './check-debt.ts';
import { type DebtProblem, type ImportProblem, importProblem } from './import-problem.ts';

/** About 10 ms of work; between two slices other requests are answered. */
const SLICE = 500;

export interface CheckedDebts {
  readonly sent: number;
  readonly debts: readonly CheckedDebt[];
  readonly problems: readonly ImportProblem[];
  /** Of a CSV: the spreadsheet's row of each element. */
  readonly rows: readonly number[] | undefined;
}

/** What makes two debts the same one; the database is asked the same question by `store-debts.ts`. */
const identityOf = ({ invoiceId, debtorCpf, originalAmountCentavos, dueDate }: CheckedDebt): string =>
  invoiceId === null ? `debt:${debtorCpf}:${originalAmountCentavos}:${dueDate}` : `invoice:${invoiceId}`;

const invoiceOf = (element: unknown): string | null =>
  element !== null && typeof element === 'object' && 'invoiceId' in element ? invoiceIdOf(element.invoiceId) : null;

export const duplicateOf = ({ invoiceId }: CheckedDebt): DebtProblem =>
  invoiceId === null ? { code: 'duplicate' } : { field: 'invoiceId', code: 'duplicate' };

/** Every element by itself, and against those before it in the same call. Empties `elements`: each is let go once read. */
export async function checkDebts(elements: unknown[], rows?: readonly number[]): Promise<CheckedDebts> {
  const debts: CheckedDebt[] = [];
  const problems: ImportProblem[] = [];
  const seen = new Set<string>();
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index];
    elements[index] = undefined;
    if (index > 0 && index % SLICE === 0) await breathe();
    const checked = checkDebt(element, index);
    const report = (found: DebtProblem, invoiceId: string | null) =>
      problems.push(importProblem({ index, invoiceId, row: rows?.[index] }, found));
    if ('length' in checked) {
      const invoiceId = invoiceOf(element);
      for (const found of checked) report(found, invoiceId);
      continue;
    }
    const identity = identityOf(checked);
    if (seen.has(identity)) {
      report(duplicateOf(checked), checked.invoiceId);
      continue;
    }
    seen.add(identity);
    debts.push(checked);
  }
  return { sent: elements.length, debts, problems, rows };
}
