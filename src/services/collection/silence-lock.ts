import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../../db/statement.ts';

const key = (parameter: string): string => `hashtextextended('silence:' || ${parameter}, 0)`;
const SHARE = `select pg_advisory_xact_lock_shared(${key('$1')}), pg_advisory_xact_lock_shared(${key('$2')})`;
const TAKE = `select pg_advisory_xact_lock(${key('$1')})`;

/** A gate that decides: until it has booked, nobody can pause its campaign or its client. Many gates decide at once. */
export async function keepFromPausing(
  em: EntityManager,
  { campaignId, clientId }: { readonly campaignId: string; readonly clientId: string },
): Promise<void> {
  await runInTransaction(em, SHARE, [campaignId, clientId]);
}

/** Whoever pauses waits for the gates that are deciding; those after it see the pause. Taken before any row. */
export async function waitForGates(em: EntityManager, campaignOrClientId: string): Promise<void> {
  await runInTransaction(em, TAKE, [campaignOrClientId]);
}
