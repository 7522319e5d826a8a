import { sql } from 'kysely';
import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { StoredIndices } from '../rules/index-series.ts';

/**
 * The published values from the month of the due date of the debt beside it; null for a client that charges by none of
 * them.
 */
export const INDICES_OF_DEBT = sql<StoredIndices | null>`(
  select jsonb_object_agg(index_values.series || ':' || index_values.month, index_values.millionths) from index_values
  where index_values.month >= to_char(debts.due_date, 'YYYY-MM')
    and exists (select from late_payment_terms where late_payment_terms.client_id = debts.client_id
      and (late_payment_terms.interest_kind = 'legal' or late_payment_terms.correction = 'ipca')))`;

/** Returns all published values. */
export async function allIndices(tx: Tx): Promise<StoredIndices> {
  const rows = await queriesIn(tx).selectFrom('index_values').select(['series', 'month', 'millionths']).execute();
  return Object.fromEntries(rows.map(({ series, month, millionths }) => [`${series}:${month}`, millionths]));
}

interface NewIndexValue {
  readonly series: string;
  readonly month: string;
  readonly millionths: number;
}

/** Stores published values. A value that was corrected by its publisher replaces the stored one. */
export const storeIndexValues = (tx: Tx, values: readonly NewIndexValue[]) =>
  queriesIn(tx)
    .insertInto('index_values')
    .values([...values])
    .onConflict((conflict) =>
      conflict.columns(['series', 'month']).doUpdateSet((row) => ({ millionths: row.ref('excluded.millionths') })),
    )
    .execute();
