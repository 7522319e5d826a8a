import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../../db/statement.ts';
import { AppError } from '../../domain/errors.ts';
import type { CollectionDeps } from '../collection/deps.ts';

const READ = 'select sandbox from debts where id = $1';

/** Throws `not_found` unless the debt is the caller's own and a sandbox debt: for any other the sandbox routes do not exist. */
export async function requireSandboxDebt(
  em: EntityManager,
  { sandboxOnly }: Pick<CollectionDeps, 'sandboxOnly'>,
  debtId: string,
): Promise<void> {
  const [debt] = await runInTransaction<{ sandbox: boolean }>(em, READ, [debtId]);
  if (debt === undefined || !(debt.sandbox || sandboxOnly)) throw new AppError('not_found');
}
