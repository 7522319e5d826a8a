import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { addOutbox } from '../db/outbox.ts';
import type { AccountMail } from '../domain/account-mail.ts';
import { AppError } from '../domain/errors.ts';
import type { ServiceDeps } from './deps.ts';

/** A worker sends it, if and only if the transaction of `em` commits. */
export const askForMail = (
  em: EntityManager,
  workflows: ServiceDeps['workflows'],
  clientId: string,
  kind: AccountMail,
): Promise<void> => addOutbox(em, workflows.sendAccountMail({ clientId, requestId: randomUUID(), kind }));

/**
 * Whether the owner is to be told once more of what somebody can do again and again: an address that its owner has not
 * confirmed may be a stranger's, and nobody is to be flooded through this service.
 */
export async function mayNotify(
  { takeFromMailRate }: Pick<ServiceDeps, 'takeFromMailRate'>,
  clientId: string,
  kind: AccountMail,
): Promise<boolean> {
  try {
    await takeFromMailRate(`${kind}:${clientId}`);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return false;
    throw error;
  }
}
