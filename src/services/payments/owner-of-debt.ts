import type { Database } from '../../db/database.ts';
import { AppError } from '../../domain/errors.ts';

const OWNER = { name: 'checkout_owner', text: 'select client_id as "clientId" from debts where id = $1' };

/** Public pages know a debt and nothing else. An id that does not exist costs this one read. */
export async function ownerOfDebt(db: Pick<Database, 'read'>, debtId: string): Promise<string> {
  const [owner] = await db.read<{ clientId: string }>({ debtId }, OWNER, [debtId]);
  if (owner === undefined) throw new AppError('not_found');
  return owner.clientId;
}
