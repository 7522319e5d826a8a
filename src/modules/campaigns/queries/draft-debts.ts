import { sql } from 'kysely';
import { anyOf, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { makeCurrentAgain } from '../../debts/queries/continued-debts.ts';

/**
 * Locks the debts of a draft that nothing has moved, so that no charge or message is added to them, and returns how many
 * debts the draft has. It is a statement of its own, so that the next one sees what was added before.
 */
export const lockImportedDebts = (tx: Tx, campaignId: string) =>
  queriesIn(tx)
    .with(
      (cte) => cte('locked').materialized(),
      (queries) =>
        queries
          .selectFrom('debts')
          .select('id')
          .where('campaignId', '=', campaignId)
          .where('status', '=', 'IMPORTED')
          .orderBy('id')
          .forUpdate(),
    )
    .selectFrom('debts')
    .select(({ fn }) => fn.countAll<number>().as('debts'))
    .select(({ selectFrom, fn }) =>
      selectFrom('locked').select(fn.countAll<number>().as('locked')).$asScalar().as('locked'),
    )
    .where('campaignId', '=', campaignId)
    .executeTakeFirstOrThrow();

/** The tables that say that a debtor or money has reached the debt already. */
const TOUCHED_BY = [
  'charges',
  'messages',
  'recipients',
  'checkout_notices',
  'receipt_deliveries',
  'received_payments',
  'rights_requests',
  'sandbox_outbox',
  'sandbox_acts',
] as const;

/** Selects the debts of a draft that nobody outside has touched. The caller holds their locks. */
const untouchedDebts = (tx: Tx, campaignId: string) =>
  queriesIn(tx)
    .selectFrom('debts')
    .where('debts.campaignId', '=', campaignId)
    .where('debts.status', '=', 'IMPORTED')
    .where(({ and, exists, not, selectFrom }) =>
      and(
        TOUCHED_BY.map((table) =>
          not(exists(selectFrom(table).select(sql`1`.as('one')).whereRef(`${table}.debtId`, '=', 'debts.id'))),
        ),
      ),
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('debt_events')
            .select('debt_events.seq')
            .whereRef('debt_events.debtId', '=', 'debts.id')
            .where('debt_events.kind', 'not in', ['note', 'debt_changed']),
        ),
      ),
    );

/**
 * Deletes the debts of a draft that nobody outside has touched, and returns how many. Phones, notes, events and inbox
 * items go with them by their foreign keys; all other tables forbid it. An earlier row of such a debt is the current one
 * again, because the import that continued it is undone.
 */
export async function deleteImportedDebts(tx: Tx, campaignId: string): Promise<number> {
  const untouched = await untouchedDebts(tx, campaignId).select('debts.id').execute();
  const ids = untouched.map(({ id }) => id);
  const continued = await queriesIn(tx)
    .selectFrom('debts as fresh')
    .innerJoin('debts as ended', 'ended.identityId', 'fresh.identityId')
    .select('ended.id')
    .whereRef('ended.continuedBy', '=', 'fresh.id')
    .where('fresh.id', '=', anyOf(ids, 'uuid'))
    .execute();
  // A debt has one current row at any moment, so the draft's row leaves the debt before the earlier one takes over.
  await queriesIn(tx)
    .updateTable('debts')
    .set({ identityId: sql<string>`gen_random_uuid()` })
    .where('id', '=', anyOf(ids, 'uuid'))
    .execute();
  await makeCurrentAgain(
    tx,
    continued.map(({ id }) => id),
  );
  await queriesIn(tx).deleteFrom('debts').where('id', '=', anyOf(ids, 'uuid')).execute();
  return ids.length;
}
