import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { searchTermsOf } from '../../../kernel/search-terms.ts';
import type { DebtSelection } from '../queries/debt-search.ts';

/** What staff search for; absent conditions do not filter. */
export interface DebtFilter {
  readonly q?: string | undefined;
  readonly campaignId?: string | undefined;
  readonly status?: readonly DebtStatus[] | undefined;
  readonly dueFrom?: string | undefined;
  readonly dueTo?: string | undefined;
  readonly sandbox?: boolean | undefined;
}

/** An empty list of statuses does not filter, as an absent one. */
export const selectionOf = (clientId: string, { q, status, ...same }: DebtFilter): DebtSelection => ({
  clientId,
  terms: q === undefined ? undefined : searchTermsOf(q),
  campaignId: same.campaignId,
  statuses: status === undefined || status.length === 0 ? undefined : status,
  dueFrom: same.dueFrom,
  dueTo: same.dueTo,
  sandbox: same.sandbox,
});

/** The most debts that one search counts and one export contains. */
export const MAX_SELECTED = 250_000;
