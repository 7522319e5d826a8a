import { addAudit } from '../../db/add-audit.ts';
import type { Database } from '../../db/database.ts';
import { lockClient, setVerified } from '../../db/queries/clients.ts';
import { AppError } from '../../domain/errors.ts';
import { confirmAddress } from './confirm-address.ts';

/** The verified data, for the operator to compare. */
export interface VerifiedCompany {
  readonly name: string;
  readonly cnpj: string;
}

/**
 * Records that an operator has checked the company's name and CNPJ: it may contact real people as long as both stay
 * unchanged. The operator has spoken to the company, so its e-mail address counts as confirmed. Returns null when there
 * is no CNPJ to check. Throws `not_found`.
 */
export const verifyClient =
  ({ db }: { readonly db: Pick<Database, 'tenant'> }) =>
  (clientId: string): Promise<VerifiedCompany | null> =>
    db.tenant(clientId).transactional(async (em) => {
      const client = await lockClient(em, clientId);
      if (client === undefined) throw new AppError('not_found');
      if (client.cnpj === null) return null;
      const { name } = await setVerified(em, clientId);
      await addAudit(em, { clientId, actor: 'operator', action: 'client_verified' });
      await confirmAddress(em, { clientId, actor: 'operator', ip: null });
      return { name, cnpj: client.cnpj };
    });
