import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SearchTerms } from '../../../kernel/search-terms.ts';
import type { Tables } from '../../../platform/database/queries/builder.ts';
import { debtsThatMatch, LAST } from '../../debts/queries/debt-terms.ts';

/** What a text in the search of receipts may be. */
export interface ReceiptTerms {
  readonly debt: SearchTerms;
  /** The beginning of a protocol; null when the text cannot be one. */
  readonly protocol: string | null;
}

/** The condition of a statement with the table of receipts: the receipt, or its debt, agrees with the terms. */
export function agreesWith(
  queries: Kysely<Tables>,
  clientId: string,
  { terms: { debt, protocol }, debtId }: { readonly terms: ReceiptTerms; readonly debtId: RawBuilder<string> },
) {
  const ofDebt = sql<boolean>`${debtId} in ${debtsThatMatch(queries, clientId, debt)}`;
  if (protocol === null) return ofDebt;
  return sql<boolean>`(${ofDebt} or receipts.protocol ~>=~ ${protocol} and receipts.protocol ~<~ ${protocol + LAST})`;
}
