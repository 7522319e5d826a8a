import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { lockClient } from '../../accounts/queries/clients.ts';
import type { SharedDeps } from '../../deps.ts';
import { insertOffersPolicy, newestOffersPolicy } from '../queries/offers-policies.ts';
import type { OffersPolicy } from '../rules/offers-policy.ts';
import { unusablePolicy } from '../rules/unusable-policy.ts';

/** Returns what the client offers now; null when it offers nothing. */
export const readOffersPolicy =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async (clientId: string): Promise<OffersPolicy | null> =>
    (await db.tenant(clientId).transactional((tx) => newestOffersPolicy(tx, clientId)))?.policy ?? null;

/** Far more than a company needs; the bound keeps the table small. */
const MAX_VERSIONS = 1_000;

/** Refuses a policy that promises what it can never give. */
export function requireUsable(policy: OffersPolicy): void {
  const problems = unusablePolicy(policy);
  if (problems.length > 0) throw new AppError('validation_failed', { errors: problems });
}

/** Stores a version, also where it removes the policy. Offers that were made keep the version of which they were made. */
export const changeOffersPolicy =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async (request: {
    readonly clientId: string;
    readonly policy: OffersPolicy | null;
    readonly source: RequestSource;
  }): Promise<OffersPolicy | null> => {
    const { clientId, policy, source } = request;
    if (policy !== null) requireUsable(policy);
    return db.tenant(clientId).transactional(async (tx) => {
      // Two calls at once must not both store the version that follows.
      await lockClient(tx, clientId);
      const version = ((await newestOffersPolicy(tx, clientId))?.version ?? 0) + 1;
      if (version > MAX_VERSIONS) {
        throw new AppError('validation_failed', {
          detail: `A company has at most ${MAX_VERSIONS} versions of its policy of offers.`,
        });
      }
      const stored = await insertOffersPolicy(tx, { clientId, version, policy });
      await addRequestAudit(tx, {
        clientId,
        source,
        action: 'offers_policy_changed',
        target: stored.id,
        details: { version },
      });
      return policy;
    });
  };
