import { AppError } from '../../../kernel/errors.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { createKeyedMutex } from '../../../platform/shared/keyed-mutex.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import type { CollectionDeps } from '../../collection/deps.ts';
import { CAMPAIGN_TO_IMPORT_INTO, type CampaignToImportInto } from '../../debts/queries/imports.ts';
import { type CheckedDebts, duplicateOf } from './check-debts.ts';
import { type ImportProblem, importProblem } from './import-problem.ts';
import { requireOpenCampaign } from './require-open-campaign.ts';
import { findKnownDebts, type StoreDeps, storeDebts } from './store-debts.ts';

export interface ImportResult {
  readonly imported: number;
  readonly skipped: number;
  readonly errors: readonly ImportProblem[];
}

export interface ImportTarget {
  readonly clientId: string;
  readonly campaignId: string;
  readonly checkOnly: boolean;
  readonly source: RequestSource;
}

export type ImportDebts = (target: ImportTarget, check: (now: Date) => Promise<CheckedDebts>) => Promise<ImportResult>;

/**
 * The part that the CSV and the JSON import share. All requests use one instance, because it holds the mutex per
 * client.
 */
export const importDebts = (deps: StoreDeps & Pick<CollectionDeps, 'now' | 'sandboxOnly'>): ImportDebts => {
  const runExclusive = createKeyedMutex();

  /**
   * `storeDebts` checks again under a lock. The elements are read before, because malformed JSON is refused before an
   * unknown campaign.
   */
  const requireOpen = async ({ clientId, campaignId }: ImportTarget): Promise<CampaignToImportInto> => {
    if (!isUuid(campaignId)) throw new AppError('not_found');
    return deps.db.tenant(clientId).transactional(async (tx) => {
      const [campaign] = await CAMPAIGN_TO_IMPORT_INTO.run(tx, { clientId, campaignId });
      return requireOpenCampaign(tx, deps, clientId, campaign);
    });
  };

  /** An import without a valid element is an attempted import, so the audit log records it too. */
  const auditEmptyImport = async ({ clientId, campaignId, source }: ImportTarget, sent: number): Promise<void> => {
    const entry = { clientId, source, target: campaignId, details: { imported: 0, skipped: sent } };
    await deps.db.tenant(clientId).transactional((tx) => addRequestAudit(tx, { ...entry, action: 'debts_imported' }));
  };

  return async (target, check) => {
    const { clientId, campaignId, checkOnly, source } = target;
    const { sent, debts, problems, rows } = await check(deps.now());
    const campaign = await requireOpen(target);
    if (debts.length === 0 && !checkOnly) await auditEmptyImport(target, sent);
    const known =
      debts.length === 0
        ? []
        : checkOnly
          ? await findKnownDebts(deps, clientId, campaign.sandbox ?? deps.sandboxOnly, debts)
          : await runExclusive(clientId, () =>
              storeDebts(deps, {
                clientId,
                campaignId,
                debts,
                sandbox: deps.sandboxOnly,
                at: deps.now(),
                sent,
                source,
              }),
            );
    const byIndex = new Map(known.length === 0 ? [] : debts.map((debt) => [debt.index, debt]));
    const duplicates = known.map((index) => {
      const debt = byIndex.get(index)!;
      return importProblem({ index, invoiceId: debt.invoiceId, row: rows[index] }, duplicateOf(debt));
    });
    const imported = debts.length - known.length;
    const errors = duplicates.length === 0 ? problems : [...problems, ...duplicates].sort((a, b) => a.index - b.index);
    return { imported, skipped: sent - imported, errors };
  };
};
