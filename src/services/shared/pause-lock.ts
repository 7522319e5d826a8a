import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../../db/statement.ts';

const key = (parameter: string): string => `hashtextextended('silence:' || ${parameter}, 0)`;
const SHARE = `select pg_advisory_xact_lock_shared(${key('$1')}), pg_advisory_xact_lock_shared(${key('$2')})`;
const TAKE = `select pg_advisory_xact_lock(${key('$1')})`;

/**
 * A gate takes this shared lock while it decides and books, so that its campaign and its client cannot be paused in
 * between. Many gates may hold it at once.
 */
export async function blockPausing(
  em: EntityManager,
  { campaignId, clientId }: { readonly campaignId: string; readonly clientId: string },
): Promise<void> {
  await runInTransaction(em, SHARE, [campaignId, clientId]);
}

/**
 * A pause takes this exclusive lock: it waits for the gates that are deciding, and later gates see the pause. It is taken
 * before any row lock.
 */
export async function waitForGates(em: EntityManager, campaignOrClientId: string): Promise<void> {
  await runInTransaction(em, TAKE, [campaignOrClientId]);
}
