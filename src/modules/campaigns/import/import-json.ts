import { AppError, type FieldProblem } from '../../../kernel/errors.ts';
import { checkDebts } from './check-debts.ts';
import type { ImportDebts, ImportResult, ImportTarget } from './import-debts.ts';
import { MAX_VALUES } from './json/find-debts.ts';
import { type JsonImport, readJson } from './json/read-json.ts';
import { MAX_DEBTS } from './limits.ts';

type Shape = Readonly<Record<'clientId' | 'debts', unknown>>;

const refuse = (...errors: readonly FieldProblem[]): AppError => new AppError('validation_failed', { errors });

function shapeProblems({ clientId, debts }: Shape, { count, oversized }: JsonImport['found']): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const add = (pointer: string, code: string, message: string) => problems.push({ pointer, code, message });
  if (clientId === undefined) add('/clientId', 'required', 'This is required');
  else if (typeof clientId !== 'string') add('/clientId', 'invalid_type', 'A text is expected');
  if (debts === undefined) add('/debts', 'required', 'This is required');
  else if (!Array.isArray(debts)) add('/debts', 'invalid_type', 'A list is expected');
  else if (count === 0) add('/debts', 'too_short', 'At least one debt is expected');
  else if (count > MAX_DEBTS) add('/debts', 'too_long', `At most ${MAX_DEBTS} debts are taken in one call`);
  else if (oversized !== -1) add(`/debts/${oversized}`, 'too_long', `An element may hold at most ${MAX_VALUES} values`);
  return problems;
}

/** Throws when the import as a whole is refused. It runs before any element is parsed. */
function checkShape({ rest, found }: JsonImport, callerId: string): void {
  if (found.otherValues > MAX_VALUES) {
    throw refuse({ pointer: '', code: 'too_long', message: `At most ${MAX_VALUES} values are taken beside the debts` });
  }
  if (rest === null || typeof rest !== 'object' || Array.isArray(rest)) {
    throw refuse({ pointer: '', code: 'invalid_type', message: 'An object is expected' });
  }
  const shape = rest as Shape;
  // A mismatch of the caller is reported before any problem of the body.
  if (typeof shape.clientId === 'string' && shape.clientId.toLowerCase() !== callerId) {
    throw new AppError('client_mismatch');
  }
  const problems = shapeProblems(shape, found);
  if (problems.length > 0) throw refuse(...problems);
}

export const importJson =
  (run: ImportDebts) =>
  async ({ bytes, ...target }: ImportTarget & { readonly bytes: Uint8Array }): Promise<ImportResult> => {
    const sent = await readJson(bytes);
    checkShape(sent, target.clientId);
    return run(target, (now) => checkDebts(sent.batches(), now));
  };
