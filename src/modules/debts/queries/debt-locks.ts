import { type QueryCreator, sql } from 'kysely';
import { anyOf, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import { isRow } from '../../../platform/database/queries/is-row.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/**
 * Locks the debts' rows. A transaction calls it before it locks rows of their messages, deliveries or receipts: writing
 * to the timeline locks the debt's row, so another order can deadlock.
 */
export async function lockDebts(tx: Tx, debtIds: readonly string[]): Promise<void> {
  await lockDebtRows.run(tx, { debtIds });
}
export const takeDebtLocks = (queries: QueryCreator<Tables>, debtIds: readonly string[]) =>
  queries.selectFrom('debts').select('id').where('id', '=', anyOf(debtIds, 'uuid')).orderBy('id').forNoKeyUpdate();
const lockDebtRows = prepared('debts_lock', (queries, { debtIds }: { readonly debtIds: readonly string[] }) =>
  takeDebtLocks(queries, debtIds),
);

/**
 * Locks all rows of a debt, which was imported again after it had ended, those of the other debts of its agreements, and
 * the other debts of its person, with which an agreement may be made at the same moment. All are locked at once, in the
 * order in which every transaction locks them. It is a statement of its own, so that the next one sees what was committed
 * while the locks were waited for.
 */
export const lockRowsOfDebt = (tx: Tx, debtId: string) => lockRowsOfDebts(tx, [debtId]);

/** Locks the same for several debts. */
export const lockRowsOfDebts = (tx: Tx, debtIds: readonly string[]) =>
  queriesIn(tx)
    .selectFrom('debts')
    .select('id')
    .where('identityId', '=', ({ selectFrom }) => {
      const identities = selectFrom('debts as named')
        .select('named.identityId')
        .where('named.id', '=', anyOf(debtIds, 'uuid'))
        .unionAll(
          selectFrom('debts as named')
            .innerJoin('debts as row', 'row.identityId', 'named.identityId')
            .innerJoin('agreement_debts as mine', 'mine.debtId', 'row.id')
            .innerJoin('agreement_debts as agreed', 'agreed.agreementId', 'mine.agreementId')
            .innerJoin('debts as other', 'other.id', 'agreed.debtId')
            .select('other.identityId')
            .where('named.id', '=', anyOf(debtIds, 'uuid')),
        )
        .unionAll(
          selectFrom('debts as named')
            .innerJoin('debts as other', (join) =>
              join
                .on(({ ref }) =>
                  isRow(
                    [ref('other.debtorTaxId'), ref('other.clientId')],
                    [ref('named.debtorTaxId'), ref('named.clientId')],
                  ),
                )
                .onRef('other.sandbox', '=', 'named.sandbox'),
            )
            .select('other.identityId')
            .where('named.id', '=', anyOf(debtIds, 'uuid'))
            // Erased debts of different persons have the same empty CPF.
            .where('named.erasedAt', 'is', null),
        );
      // As an array it is read once, and the rows are found by their identity: a join may read all debts of the client.
      return sql<string>`any(array(${identities}))`;
    })
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

export const lockDebtStatus = async (tx: Tx, debtId: string) => (await readStatusForUpdate.run(tx, { debtId })).at(0);
const readStatusForUpdate = prepared('debt_status_lock', (queries, { debtId }: { readonly debtId: string }) =>
  queries
    .selectFrom('debts')
    .select(['id', 'status', 'campaignId', 'clientId', 'continuedBy'])
    .where('id', '=', debtId)
    .forNoKeyUpdate(),
);

/**
 * Locks the debts of a person in one order, so that two requests of the same person do not deadlock. Without `sandbox`
 * it locks both real and simulated ones.
 */
export const lockDebtsOfPerson = (
  tx: Tx,
  person: { readonly clientId: string; readonly debtorTaxId: string; readonly sandbox?: boolean },
) =>
  queriesIn(tx)
    .selectFrom('debts')
    .select('id')
    .where('clientId', '=', person.clientId)
    .where('debtorTaxId', '=', person.debtorTaxId)
    .$if(person.sandbox !== undefined, (query) => query.where('sandbox', '=', person.sandbox === true))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
