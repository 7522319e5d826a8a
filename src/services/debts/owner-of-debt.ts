import type { Database } from '../../db/database.ts';
import { AppError } from '../../domain/errors.ts';

const OWNER = { name: 'checkout_owner', text: 'select client_id as "clientId" from debts where id = $1' };

/**
 * Returns the client of a debt, because a public page knows only the debt's id. An unknown id costs only this one read.
 */
export async function ownerOfDebt(db: Pick<Database, 'read'>, debtId: string): Promise<string> {
  const [owner] = await db.read<{ clientId: string }>({ debtId }, OWNER, [debtId]);
  if (owner === undefined) throw new AppError('not_found');
  return owner.clientId;
}
