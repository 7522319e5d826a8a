import type { CollectsFor } from '../../../kernel/collects-for.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { LawfulGround } from '../../../kernel/lawful-ground.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../queries/add-audit.ts';
import { changeClient } from '../queries/clients.ts';
import type { ClientAddress } from '../tables/client.ts';
import type { Account } from './account.ts';
import type { AccountDeps } from './deps.ts';
import { readAccount } from './read-account.ts';

export interface AccountChange {
  readonly name?: string | undefined;
  /** Normalised. Null deletes it. */
  readonly cnpj?: string | null | undefined;
  readonly segment?: string | null | undefined;
  readonly address?: ClientAddress | null | undefined;
  /** Normalised. */
  readonly contactEmail?: string | null | undefined;
  readonly lawfulGround?: LawfulGround | undefined;
  readonly collectsFor?: CollectsFor | undefined;
  readonly autoRefundExcess?: boolean | undefined;
  readonly requireSecondFactor?: boolean | undefined;
}

interface ChangeDeps extends Pick<AccountDeps, 'db' | 'missingConnections'> {
  /** Throws where the rules that bind only collectors leave a debtor of the client no moment of contact. */
  readonly requireOpeningsOfCollector: (tx: Tx, clientId: string) => Promise<void>;
}

/**
 * Changes only the members that are given. A trigger ends the operator's verification when the name, the CNPJ,
 * the address or `collectsFor` changes.
 */
export const changeAccount =
  (deps: ChangeDeps) =>
  async (input: { clientId: string; change: AccountChange; source: RequestSource }): Promise<Account> => {
    const { clientId, change, source } = input;
    const { name, cnpj, segment, address, contactEmail, lawfulGround, collectsFor } = change;
    const { autoRefundExcess, requireSecondFactor } = change;
    const given = {
      name,
      cnpj,
      segment,
      address,
      contactEmail,
      lawfulGround,
      collectsFor,
      autoRefundExcess,
      requireSecondFactor,
    } satisfies Record<keyof AccountChange, unknown>;
    const named = Object.entries(given).flatMap(([member, value]) => (value === undefined ? [] : [member]));
    await deps.db.tenant(clientId).transactional(async (tx) => {
      if ((await changeClient(tx, clientId, given)) === undefined) throw new AppError('not_found');
      if (collectsFor === 'others') await deps.requireOpeningsOfCollector(tx, clientId);
      if (named.length > 0)
        await addRequestAudit(tx, { clientId, source, action: 'account_changed', target: named.join(' ') });
    });
    return readAccount(deps)(clientId);
  };
