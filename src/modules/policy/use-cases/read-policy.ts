import { AppError } from '../../../kernel/errors.ts';
import type { SharedDeps } from '../../deps.ts';
import { policyVersion, policyVersions } from '../queries/policy-versions.ts';
import type { Policy, PolicyText } from './load-policy.ts';

interface UsedVersion {
  readonly id: string;
  readonly version: string;
  readonly usedSince: string;
}

type PolicyView = PolicyText['content'] & {
  readonly id: string;
  readonly version: string;
  readonly versions: readonly UsedVersion[];
};

/** Returns the policy that applies now, or the text of an earlier version that a verdict names. */
export const readPolicy =
  ({ db, policy }: Pick<SharedDeps, 'db'> & { readonly policy: Policy }) =>
  async ({ version }: { readonly version: string | undefined }): Promise<PolicyView> =>
    db.system().transactional(async (tx) => {
      const { pack } = policy;
      const known = await policyVersions(tx);
      const versions = known.map((each) => ({
        id: each.pack,
        version: each.version,
        usedSince: each.createdAt.toISOString(),
      }));
      if (version === undefined || version === pack.version) {
        return { id: pack.id, version: pack.version, ...policy.text.content, versions };
      }
      const used = await policyVersion(tx, pack.id, version);
      if (used === undefined) throw new AppError('not_found');
      // Only `recordPolicy` writes the column.
      return { id: pack.id, version, ...(used.content as PolicyText['content']), versions };
    });
