import { AppError } from '../../../kernel/errors.ts';
import type { Database } from '../../../platform/database/database.ts';
import { OWNER_OF_DEBT } from '../queries/debts.ts';

/**
 * Returns the client of a debt, because a public page knows only the debt's id. An unknown id costs only this one read.
 */
export async function ownerOfDebt(db: Pick<Database, 'readPrepared'>, debtId: string): Promise<string> {
  const [owner] = await db.readPrepared({ debtId }, OWNER_OF_DEBT, { debtId });
  if (owner === undefined) throw new AppError('not_found');
  return owner.clientId;
}
