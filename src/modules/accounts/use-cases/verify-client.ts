import type { CollectsFor } from '../../../kernel/collects-for.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { AccountWorkflows } from '../../../kernel/ports/account-workflows.ts';
import { addOutboxRows } from '../../../platform/database/add-outbox.ts';
import type { Database } from '../../../platform/database/database.ts';
import { addAudit } from '../queries/add-audit.ts';
import { lockClient, setVerified } from '../queries/clients.ts';
import type { ClientAddress } from '../tables/client.ts';
import { confirmAddress } from './confirm-address.ts';

/** The verified data, for the operator to compare. */
export interface VerifiedCompany {
  readonly name: string;
  readonly cnpj: string;
  /** Null when the client has not entered one yet. */
  readonly address: ClientAddress | null;
  /** By which its campaigns call the creditor in place of the name. */
  readonly senders: readonly string[];
  /** Whose debts it says that it collects. */
  readonly collectsFor: CollectsFor;
}

/**
 * Records that an operator has checked the company's name, CNPJ, address, senders and whose debts it collects: it may contact real people as long
 * as they stay unchanged. Collections that have waited for the check go on. The operator has spoken to the company, so its
 * e-mail address counts as confirmed. Returns null when there is no CNPJ to check. Throws `not_found`.
 */
export const verifyClient =
  ({
    db,
    workflows,
    now,
  }: {
    readonly db: Pick<Database, 'tenant'>;
    readonly workflows: Pick<AccountWorkflows, 'wakeCollections'>;
    readonly now: () => Date;
  }) =>
  (clientId: string): Promise<VerifiedCompany | null> =>
    db.tenant(clientId).transactional(async (tx) => {
      const client = await lockClient(tx, clientId);
      if (client === undefined) throw new AppError('not_found');
      if (client.cnpj === null) return null;
      const { name, address, senders, collectsFor } = await setVerified(tx, clientId);
      await addAudit(tx, { clientId, actor: 'operator', action: 'client_verified' });
      await addOutboxRows(tx, workflows.wakeCollections(clientId, now()));
      await confirmAddress(tx, { clientId, actor: 'operator', ip: null });
      return { name, cnpj: client.cnpj, address, senders, collectsFor };
    });
