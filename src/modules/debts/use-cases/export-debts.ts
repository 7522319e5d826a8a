import { AppError } from '../../../kernel/errors.ts';
import { statisticsDay } from '../../../kernel/statistics-day.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import type { SharedDeps } from '../../deps.ts';
import { allIndices } from '../../terms/queries/index-values.ts';
import { EXPORTED_DEBTS, idsOfSelectedDebts, type SelectedIds } from '../queries/debt-search.ts';
import { type DebtSortName, debtSortOf } from '../rules/debt-sorts.ts';
import { type ExportedDebt, exportedDebt, type Figuring } from './found-debt.ts';
import { type DebtFilter, MAX_SELECTED, selectionOf } from './select-debts.ts';

export interface ExportDebts extends DebtFilter {
  readonly clientId: string;
  readonly sort: DebtSortName;
  readonly source: RequestSource;
}

/** Writing a portion takes a few milliseconds of the event loop. */
const PORTION = 250;

/** The conditions as the audit log keeps them: it has no data of a debtor, so only whether a text was searched. */
const conditionsOf = ({ q, campaignId, status, dueFrom, dueTo, sandbox }: ExportDebts) => ({
  searched: q !== undefined,
  campaignId: campaignId ?? null,
  status: status?.join(',') ?? null,
  dueFrom: dueFrom ?? null,
  dueTo: dueTo ?? null,
  sandbox: sandbox ?? null,
});

/**
 * Returns the selected debts in portions. One statement decides which debts they are, and their order; each portion is
 * read when the one before is written, so a slow download keeps no connection to the database and no transaction open.
 */
export const exportDebts =
  ({ db, now, policy }: Pick<SharedDeps, 'db' | 'now' | 'policy'>) =>
  async (request: ExportDebts): Promise<AsyncIterable<ExportedDebt[]>> => {
    const { clientId, source } = request;
    const selection = selectionOf(clientId, request);
    const { ids, indices } = await db.tenant(clientId).transactional(async (tx) => {
      const page = { sort: debtSortOf(request.sort), limit: MAX_SELECTED + 1 };
      const selected = await idsOfSelectedDebts(tx, selection, page);
      if (selected.count > MAX_SELECTED) {
        throw new AppError('validation_failed', {
          errors: [{ pointer: '', code: 'too_big', message: `These are more than ${MAX_SELECTED} debts` }],
        });
      }
      const details = { debts: selected.count, ...conditionsOf(request) };
      await addRequestAudit(tx, { clientId, source, action: 'debts_exported', details });
      return { ids: selected, indices: await allIndices(tx) };
    });
    const today = statisticsDay(now().getTime());
    return portionsOf(db, { clientId, ids }, { today, now, policy, indices });
  };

async function* portionsOf(
  db: SharedDeps['db'],
  { clientId, ids: selected }: { readonly clientId: string; readonly ids: SelectedIds },
  figuring: Figuring & { readonly today: string },
): AsyncGenerator<ExportedDebt[]> {
  for (const ids of selected.portions(PORTION)) {
    const rows = await db.readPrepared({ clientId }, EXPORTED_DEBTS, { clientId, ids });
    const byId = new Map(rows.map((row) => [row.id, row]));
    yield ids.flatMap((id) => {
      const row = byId.get(id);
      return row === undefined ? [] : [exportedDebt(row, figuring)];
    });
  }
}
