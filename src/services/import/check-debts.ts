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

/**
 * Two debts are the same one by their invoice, or, where either has none, by person, amount and due date. The database
 * is asked the same question by `store-debts.ts`. Answers whether this one was there before, and remembers it if not.
 */
function createMemory(): (debt: CheckedDebt) => boolean {
  const invoices = new Set<string>();
  /** Whether one of them had no invoice. */
  const sums = new Map<string, boolean>();
  return ({ invoiceId, debtorCpf, originalAmountCentavos, dueDate }) => {
    const sum = `${debtorCpf}:${originalAmountCentavos}:${dueDate}`;
    const withoutInvoice = sums.get(sum);
    const known =
      invoiceId === null ? withoutInvoice !== undefined : invoices.has(invoiceId) || withoutInvoice === true;
    if (known) return true;
    if (invoiceId !== null) invoices.add(invoiceId);
    sums.set(sum, withoutInvoice === true || invoiceId === null);
    return false;
  };
}

const invoiceOf = (element: unknown): string | null =>
  element !== null && typeof element === 'object' && 'invoiceId' in element ? invoiceIdOf(element.invoiceId) : null;

export const duplicateOf = ({ invoiceId }: CheckedDebt): DebtProblem =>
  invoiceId === null ? { code: 'duplicate' } : { field: 'invoiceId', code: 'duplicate' };

/** Every element by itself, and against those before it in the same call. Empties `elements`: each is let go once read. */
export async function checkDebts(elements: unknown[], rows?: readonly number[]): Promise<CheckedDebts> {
  const debts: CheckedDebt[] = [];
  const problems: ImportProblem[] = [];
  const wasThere = createMemory();
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
    if (wasThere(checked)) {
      report(duplicateOf(checked), checked.invoiceId);
      continue;
    }
    debts.push(checked);
  }
  return { sent: elements.length, debts, problems, rows };
}
