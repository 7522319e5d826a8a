import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { queriesIn } from './builder.ts';

/**
 * Locks the debts of a draft that nothing has moved, so that no charge or message is added to them, and returns how many
 * debts the draft has. It is a statement of its own, so that the next one sees what was added before.
 */
export const lockImportedDebts = (em: EntityManager, campaignId: string) =>
  queriesIn(em)
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
  'sandbox_outbox',
  'sandbox_acts',
] as const;

/**
 * Deletes the debts of a draft that nobody outside has touched, and returns how many. Phones, notes, events and inbox
 * items go with them by their foreign keys; all other tables forbid it. An earlier row of such a debt that ended as
 * unreachable waits for the staff again, because the import that continued it is undone.
 */
export const deleteImportedDebts = (em: EntityManager, campaignId: string) =>
  queriesIn(em)
    .with('removed', (queries) =>
      queries
        .deleteFrom('debts')
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
        )
        .returning(['debts.id', 'debts.identityId']),
    )
    .with('waitingAgain', (queries) =>
      queries
        .insertInto('inbox_items')
        .columns(['clientId', 'debtId', 'reason'])
        .expression((from) =>
          from
            .selectFrom('removed')
            .innerJoin('debts as ended', 'ended.identityId', 'removed.identityId')
            .select(['ended.clientId', 'ended.id', sql.lit('undelivered').as('reason')])
            .whereRef('ended.id', '<>', 'removed.id')
            .where('ended.status', '=', 'UNREACHABLE'),
        )
        .onConflict((conflict) => conflict.columns(['debtId', 'reason']).where('closedAt', 'is', null).doNothing()),
    )
    .selectFrom('removed')
    .select(({ fn }) => fn.countAll<number>().as('deleted'))
    .executeTakeFirstOrThrow();
