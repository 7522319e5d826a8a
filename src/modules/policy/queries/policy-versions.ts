import type { EntityManager } from '@mikro-orm/postgresql';
import type { Insertable, Selectable } from 'kysely';
import { queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';

type PolicyVersion = Selectable<Tables['policy_versions']>;

/** Stores the version unless it is stored already, and returns the hash of what is stored. */
export async function storePolicyVersion(
  em: EntityManager,
  given: Omit<Insertable<Tables['policy_versions']>, 'createdAt'>,
): Promise<string> {
  await queriesIn(em)
    .insertInto('policy_versions')
    .values(given)
    .onConflict((conflict) => conflict.columns(['pack', 'version']).doNothing())
    .execute();
  const { hash } = await queriesIn(em)
    .selectFrom('policy_versions')
    .select('hash')
    .where('pack', '=', given.pack)
    .where('version', '=', given.version)
    .executeTakeFirstOrThrow();
  return hash;
}

export const policyVersion = (
  em: EntityManager,
  pack: string,
  version: string,
): Promise<Pick<PolicyVersion, 'content' | 'createdAt'> | undefined> =>
  queriesIn(em)
    .selectFrom('policy_versions')
    .select(['content', 'createdAt'])
    .where('pack', '=', pack)
    .where('version', '=', version)
    .executeTakeFirst();

/** Returns all versions, the newest first. Their number grows only when an operator changes the policy. */
export const policyVersions = (em: EntityManager): Promise<Pick<PolicyVersion, 'pack' | 'version' | 'createdAt'>[]> =>
  queriesIn(em)
    .selectFrom('policy_versions')
    .select(['pack', 'version', 'createdAt'])
    .orderBy('createdAt', 'desc')
    .limit(1_000)
    .execute();
