import { AppError, type FieldProblem } from '../../domain/errors.ts';
import { checkDebts } from './check-debts.ts';
import type { ImportDebts, ImportResult, ImportTarget } from './import-debts.ts';
import { MAX_DEBTS } from './limits.ts';

type Shape = Readonly<Record<'clientId' | 'debts', unknown>>;

function shapeProblems({ clientId, debts }: Shape): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const add = (pointer: string, code: string, message: string) => problems.push({ pointer, code, message });
  if (clientId === undefined) add('/clientId', 'required', 'This is required');
  else if (typeof clientId !== 'string') add('/clientId', 'invalid_type', 'A text is expected');
  if (debts === undefined) add('/debts', 'required', 'This is required');
  else if (!Array.isArray(debts)) add('/debts', 'invalid_type', 'A list is expected');
  else if (debts.length === 0) add('/debts', 'too_short', 'At least one debt is expected');
  else if (debts.length > MAX_DEBTS) add('/debts', 'too_long', `At most ${MAX_DEBTS} debts are taken in one call`);
  return problems;
}

function debtsOf(body: unknown, callerId: string): unknown[] {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    const errors = [{ pointer: '', code: 'invalid_type', message: 'An object is expected' }];
    throw new AppError('validation_failed', { errors });
  }
  const shape = body as Shape;
  // A refusal of the caller comes before one of the body.
  if (typeof shape.clientId === 'string' && shape.clientId.toLowerCase() !== callerId) {
    throw new AppError('client_mismatch');
  }
  const errors = shapeProblems(shape);
  if (errors.length > 0) throw new AppError('validation_failed', { errors });
  return shape.debts as unknown[];
}

export const importJson =
  (run: ImportDebts) =>
  async ({ body, ...target }: ImportTarget & { readonly body: unknown }): Promise<ImportResult> => {
    const elements = debtsOf(body, target.clientId);
    return run(target, () => checkDebts(elements));
  };
