import { AppError } from '../../../kernel/errors.ts';
import type { Database } from '../../../platform/database/database.ts';
import { OWNER_OF_DEBTOR_PAGE, type Person } from '../../debts/queries/persons.ts';

/** Returns whose page it is. An unknown address costs only this one read. */
export async function ownerOfDebtorPage(
  db: Pick<Database, 'runUnscoped'>,
  pageId: string,
): Promise<Person & { readonly clientId: string }> {
  const [owner] = await db.runUnscoped(OWNER_OF_DEBTOR_PAGE, { pageId });
  if (owner === undefined) throw new AppError('not_found');
  return owner;
}
