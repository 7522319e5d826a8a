import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { isSandboxDebt } from '../../debts/queries/debts.ts';
import type { SharedDeps } from '../../deps.ts';

/**
 * Throws `not_found` unless the debt is the caller's own and a sandbox debt: for any other the sandbox routes do not
 * exist.
 */
export async function requireSandboxDebt(
  tx: Tx,
  { sandboxOnly }: Pick<SharedDeps, 'sandboxOnly'>,
  debtId: string,
): Promise<void> {
  const sandbox = await isSandboxDebt(tx, debtId);
  if (sandbox === undefined || !(sandbox || sandboxOnly)) throw new AppError('not_found');
}
