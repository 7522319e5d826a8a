import { createHash } from 'node:crypto';
import type { CollectsFor } from '../../../kernel/collects-for.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { AccountWorkflows } from '../../../kernel/ports/account-workflows.ts';
import { addOutboxRows } from '../../../platform/database/add-outbox.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { type AuditEntry, addAudit } from '../queries/add-audit.ts';
import { lockClient, setVerified, setVerifiedByRoutine } from '../queries/clients.ts';
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
 * One short value of what an operator compares. It is another one once the name, the CNPJ, the address, a sender or whose
 * debts are collected changes, so that nothing is verified that the operator has not seen.
 */
export const versionOf = ({
  name,
  cnpj,
  address,
  senders,
  collectsFor,
}: Omit<VerifiedCompany, 'cnpj'> & { readonly cnpj: string | null }): string =>
  createHash('sha256')
    .update(JSON.stringify([name, cnpj, address, senders.toSorted(), collectsFor]))
    .digest('base64url')
    .slice(0, 22);

interface VerifyDeps {
  readonly db: Pick<Database, 'tenant'>;
  readonly workflows: Pick<AccountWorkflows, 'wakeCollections'>;
  readonly now: () => Date;
}

/** Who has checked the company, and what the audit log says of it. */
export type VerifiedBy = Pick<AuditEntry, 'actor' | 'action' | 'ip' | 'details'>;

/**
 * Records that an operator has checked the company's name, CNPJ, address, senders and whose debts it collects: it may contact real people as long
 * as they stay unchanged. Collections that have waited for the check go on. The operator has spoken to the company, so its
 * e-mail address counts as confirmed. Returns null when there is no CNPJ to check. Throws `not_found`.
 */
export const verifyClient =
  ({ db, workflows, now }: VerifyDeps) =>
  (clientId: string): Promise<VerifiedCompany | null> =>
    db.tenant(clientId).transactional(async (tx) => {
      const client = await lockClient(tx, clientId);
      if (client === undefined) throw new AppError('not_found');
      if (client.cnpj === null) return null;
      const by = { actor: 'operator', action: 'client_verified' } as const;
      return store(tx, { workflows, now }, { clientId, cnpj: client.cnpj, by }, setVerified);
    });

/**
 * The same in the API, for an operator at the operators' console, or for an owner where the deployment serves one
 * company. Throws `not_found`, `already_verified`, `creditor_incomplete` without a CNPJ, or `client_state` when what would
 * be verified is not what was seen.
 */
export const verifyClientInApi =
  ({ db, workflows, now }: Omit<VerifyDeps, 'db'> & { readonly db: Pick<Database, 'operatorOn'> }) =>
  (
    clientId: string,
    by: VerifiedBy,
    {
      also = async () => undefined,
      seen,
    }: {
      /** Writes in the same transaction. */
      readonly also?: (tx: Tx) => Promise<unknown>;
      /** The version that was compared; whatever stands there now is verified without it. */
      readonly seen?: string | undefined;
    } = {},
  ): Promise<VerifiedCompany> =>
    db.operatorOn(clientId).transactional(async (tx) => {
      const client = await lockClient(tx, clientId);
      if (client === undefined) throw new AppError('not_found');
      if (client.verifiedAt !== null) throw new AppError('already_verified');
      if (client.cnpj === null) throw new AppError('creditor_incomplete', { detail: 'Missing: CNPJ.' });
      await also(tx);
      const company = await store(tx, { workflows, now }, { clientId, cnpj: client.cnpj, by }, setVerifiedByRoutine);
      // It is compared once the row is locked and written, so that no change slips in between. The refusal takes all back.
      if (seen !== undefined && versionOf(company) !== seen) {
        throw new AppError('client_state', { detail: 'The data of the company have changed since they were read.' });
      }
      return company;
    });

async function store(
  tx: Tx,
  { workflows, now }: Omit<VerifyDeps, 'db'>,
  { clientId, cnpj, by }: { readonly clientId: string; readonly cnpj: string; readonly by: VerifiedBy },
  write: typeof setVerified,
): Promise<VerifiedCompany> {
  const { name, address, senders, collectsFor } = await write(tx, clientId);
  await addAudit(tx, { clientId, ...by });
  await addOutboxRows(tx, workflows.wakeCollections(clientId, now()));
  await confirmAddress(tx, { clientId, actor: by.actor, ip: by.ip ?? null });
  return { name, cnpj, address, senders, collectsFor };
}
