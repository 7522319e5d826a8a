import type { Insertable, Selectable } from 'kysely';
import { queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

type PolicyVersion = Selectable<Tables['policy_versions']>;

/** Stores the version unless it is stored already, and returns the hash of what is stored. */
export async function storePolicyVersion(
  tx: Tx,
  given: Omit<Insertable<Tables['policy_versions']>, 'createdAt'>,
): Promise<string> {
  await queriesIn(tx)
    .insertInto('policy_versions')
    .values(given)
    .onConflict((conflict) => conflict.columns(['pack', 'version']).doNothing())
    .execute();
  const { hash } = await queriesIn(tx)
    .selectFrom('policy_versions')
    .select('hash')
    .where('pack', '=', given.pack)
    .where('version', '=', given.version)
    .executeTakeFirstOrThrow();
  return hash;
}

export const policyVersion = (
  tx: Tx,
  pack: string,
  version: string,
): Promise<Pick<PolicyVersion, 'content' | 'createdAt'> | undefined> =>
  queriesIn(tx)
    .selectFrom('policy_versions')
    .select(['content', 'createdAt'])
    .where('pack', '=', pack)
    .where('version', '=', version)
    .executeTakeFirst();

/** Returns all versions, the newest first. Their number grows only when an operator changes the policy. */
export const policyVersions = (tx: Tx): Promise<Pick<PolicyVersion, 'pack' | 'version' | 'createdAt'>[]> =>
  queriesIn(tx)
    .selectFrom('policy_versions')
    .select(['pack', 'version', 'createdAt'])
    .orderBy('createdAt', 'desc')
    .limit(1_000)
    .execute();
