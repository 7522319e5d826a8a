import { addAudit } from '../db/audit.ts';
import type { Database } from '../db/database.ts';
import { runInTransaction } from '../db/statement.ts';
import { AppError } from '../domain/errors.ts';

const VERIFY = `
  update clients set verified_at = coalesce(verified_at, now()), verified_name = name, verified_cnpj = cnpj,
    updated_at = now()
  where id = $1 returning id`;

/** An operator has checked the company and its CNPJ: it may contact real people from now on. */
export const verifyClient =
  ({ db }: { readonly db: Pick<Database, 'tenant'> }) =>
  (clientId: string): Promise<void> =>
    db.tenant(clientId).transactional(async (em) => {
      if ((await runInTransaction(em, VERIFY, [clientId])).length === 0) throw new AppError('not_found');
      await addAudit(em, { clientId, actor: 'operator', action: 'client_verified' });
    });
