import type { SharedDeps } from '../../deps.ts';
import { storePolicyVersion } from '../queries/policy-versions.ts';
import { type Policy, PolicyError } from './load-policy.ts';

/**
 * Stores the text of the policy before the first verdict names its version. A text that has changed under a version that
 * was used already is refused, because stored verdicts would then name a text that nobody has ever applied.
 */
export const recordPolicy =
  ({ db, policy }: Pick<SharedDeps, 'db'> & { readonly policy: Policy }) =>
  async (): Promise<void> => {
    const { id: pack, version } = policy.pack;
    const { hash, content } = policy.text;
    const stored = await db.system().transactional((tx) => storePolicyVersion(tx, { pack, version, hash, content }));
    if (stored === hash) return;
    throw new PolicyError([
      `The files in policies/ differ from version ${version} of ${pack}, which was used already. Give br.json a new version.`,
    ]);
  };
