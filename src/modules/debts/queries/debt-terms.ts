import { type Kysely, sql } from 'kysely';
import { type SearchTerms, WORD_SEPARATORS } from '../../../kernel/search-terms.ts';
import { anyOf, type Tables } from '../../../platform/database/queries/builder.ts';

/** The last character of Unicode: every text that begins with `key` is smaller than `key` with it behind. */
export const LAST = '\u{10ffff}';

// Row security lets a comparison reach an index only when it is leakproof: `like`, `starts_with` and `lower` are not.
const beginsWithInvoice = (key: string) =>
  sql<boolean>`debts.invoice_key ~>=~ ${key} and debts.invoice_key ~<~ ${key + LAST}`;

const WORDS_OF_NAME = sql`' ' || translate(debts.name_key, ${WORD_SEPARATORS}, ${' '.repeat(WORD_SEPARATORS.length)})`;

/**
 * Tells whether each of the words begins a word of the name. All names of the client are read for it, from the index
 * that has little else: a table of words would be four rows more for each debt that is imported, and row security keeps
 * the operators of a text index from it.
 */
const hasWords = (words: readonly string[]) =>
  sql<boolean>`${sql.join(
    words.map((word) => sql`strpos(${WORDS_OF_NAME}, ${` ${word}`}) > 0`),
    sql` and `,
  )}`;

/** The ids of the debts that a searched text means. Each branch reads one index. */
export function debtsThatMatch(
  queries: Kysely<Tables>,
  clientId: string,
  { taxIds, phones, invoiceKey, words }: SearchTerms,
) {
  const debts = () => queries.selectFrom('debts').select('debts.id').where('debts.clientId', '=', clientId);
  // Without a tax id nothing is compared with null, and the branch is never run.
  let found = debts()
    .where('debts.debtorTaxId', '>=', taxIds?.from ?? null)
    .where('debts.debtorTaxId', '<=', taxIds?.to ?? null);
  if (phones.length > 0) {
    found = found
      .union(debts().where('debts.debtorPhone', '=', anyOf(phones, 'text')))
      .union(
        queries
          .selectFrom('debt_phones')
          .select('debt_phones.debtId as id')
          .where('debt_phones.clientId', '=', clientId)
          .where('debt_phones.phone', '=', anyOf(phones, 'text')),
      );
  }
  if (invoiceKey !== null) found = found.union(debts().where(beginsWithInvoice(invoiceKey)));
  if (words.length > 0) found = found.union(debts().where(hasWords(words)));
  return found;
}
