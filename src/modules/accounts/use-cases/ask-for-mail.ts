import { randomUUID } from 'node:crypto';
import type { AccountMail } from '../../../kernel/account-mail.ts';
import { AppError } from '../../../kernel/errors.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { AccountDeps } from './deps.ts';

/**
 * Requests a mail, which a worker sends if and only if the transaction of `tx` commits. A mail to a member is `about` its
 * id.
 */
export const askForMail = (
  tx: Tx,
  workflows: AccountDeps['workflows'],
  clientId: string,
  kind: AccountMail,
  about?: string,
): Promise<void> =>
  addOutbox(
    tx,
    workflows.sendAccountMail({ clientId, requestId: randomUUID(), kind, ...(about === undefined ? {} : { about }) }),
  );

/**
 * Returns whether the owner may be notified once more of an action that can be repeated at will. An unconfirmed address
 * may belong to a stranger, and nobody can use this service to flood an address with mail.
 */
export async function mayNotify(
  { takeFromMailRate }: Pick<AccountDeps, 'takeFromMailRate'>,
  /** Who is notified: a client, or a member. */
  id: string,
  kind: AccountMail,
): Promise<boolean> {
  try {
    await takeFromMailRate(`${kind}:${id}`);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return false;
    throw error;
  }
}
