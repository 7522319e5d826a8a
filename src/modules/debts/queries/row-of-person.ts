import { sql } from 'kysely';

/**
 * The last row of the debt beside it that names the same person: the current one, unless an import has given the debt
 * another person since. Erased rows have an empty CPF, so that only the key of their person tells them apart. The routine
 * `checkout_states` finds the same row.
 */
export const ROW_OF_PERSON = sql<string>`case when debts.continued_by is null then debts.id else (
  select row.id from debts as row
  where row.identity_id = debts.identity_id and row.debtor_tax_id = debts.debtor_tax_id
    and row.erased_person_key is not distinct from debts.erased_person_key
  order by row.continued_by is not null, row.created_at desc limit 1) end`;
