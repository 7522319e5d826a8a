import { sql } from 'kysely';

/** The phones of a row of `debts` that has several, in their order; empty for a debt with one. */
export const PHONES_OF_DEBT = sql<string[]>`array(select debt_phones.phone from debt_phones
  where debt_phones.debt_id = debts.id order by debt_phones.position)`;
