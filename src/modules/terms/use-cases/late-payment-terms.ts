import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { lockClient } from '../../accounts/queries/clients.ts';
import type { SharedDeps } from '../../deps.ts';
import { insertTerms, termsVersions } from '../queries/late-payment-terms.ts';
import { basisPoints, type LatePaymentTerms, type StoredTerms } from '../rules/late-payment-terms.ts';

/** A stored version, as its client sees it. */
export interface TermsView extends StoredTerms {
  readonly createdAt: string;
}

/** Returns all versions of a client, the newest first. */
export const readTerms =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async (clientId: string): Promise<TermsView[]> => {
    const versions = await db.tenant(clientId).transactional((tx) => termsVersions(tx, clientId));
    return versions.map(({ terms, createdAt }) => ({ ...terms, createdAt: createdAt.toISOString() })).toReversed();
  };

/** Stores a version. Debts that were launched keep the version that they took. */
export const addTerms =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async (request: {
    readonly clientId: string;
    readonly terms: LatePaymentTerms;
    readonly source: RequestSource;
  }): Promise<TermsView> => {
    const { clientId, terms, source } = request;
    const { interest, finePercent, ...others } = terms;
    const percent = interest.kind === 'monthly' ? interest.percent : null;
    return db.tenant(clientId).transactional(async (tx) => {
      // Two calls at once must not both store the version that follows.
      await lockClient(tx, clientId);
      const version = ((await termsVersions(tx, clientId)).at(-1)?.version ?? 0) + 1;
      if (version > MAX_VERSIONS) {
        throw new AppError('validation_failed', {
          detail: `A company has at most ${MAX_VERSIONS} versions of its terms.`,
        });
      }
      const stored = await insertTerms(tx, {
        ...others,
        clientId,
        version,
        fineBasisPoints: basisPoints(finePercent)!,
        interestKind: interest.kind,
        interestBasisPoints: percent === null ? null : basisPoints(percent),
      });
      await addRequestAudit(tx, { clientId, source, action: 'terms_added', target: stored.id, details: { version } });
      const createdAt = stored.createdAt.toISOString();
      return { ...terms, interest: { kind: interest.kind, percent }, id: stored.id, createdAt };
    });
  };

/** Far more than a company needs; the bound keeps the answer and every look-up of a version small. */
const MAX_VERSIONS = 200;
