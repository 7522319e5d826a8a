import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { DebtStatus } from '../../domain/debt-status.ts';
import type { InboxReason } from '../../domain/inbox-reasons.ts';
import { anyOf, NOW, queriesIn } from './builder.ts';

/**
 * Adds an item unless the debt has a status in which it waits for nobody. An item that waits for this reason already is
 * not hidden any more, because what was snoozed has come up again.
 */
export const openInboxItem = (
  em: EntityManager,
  debtId: string,
  reason: InboxReason,
  { exceptIn }: { readonly exceptIn: readonly DebtStatus[] },
) =>
  queriesIn(em)
    .insertInto('inbox_items')
    .columns(['clientId', 'debtId', 'reason'])
    .expression((queries) =>
      queries
        .selectFrom('debts')
        .select(['debts.clientId', 'debts.id'])
        .select(sql<InboxReason>`${reason}`.as('reason'))
        .where('debts.id', '=', debtId)
        .where(sql<boolean>`debts.status <> all(${exceptIn}::text[])`),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['debtId', 'reason'])
        .where('closedAt', 'is', null)
        .doUpdateSet({ snoozedUntil: null })
        .where('inbox_items.snoozedUntil', 'is not', null),
    )
    .execute();

/** Returns the ids of the open items of the debt, which are hidden until the moment, or shown again when it is null. */
export const snoozeInboxItems = (em: EntityManager, debtId: string, until: Date | null) =>
  queriesIn(em)
    .updateTable('inbox_items')
    .set({ snoozedUntil: until })
    .where('debtId', '=', debtId)
    .where('closedAt', 'is', null)
    .returning('id')
    .execute();

export const closeInboxItems = (em: EntityManager, debtId: string, reasons: readonly InboxReason[]) =>
  queriesIn(em)
    .updateTable('inbox_items')
    .set({ closedAt: NOW })
    .where('debtId', '=', debtId)
    .where('reason', '=', anyOf(reasons, 'text').$castTo<InboxReason>())
    .where('closedAt', 'is', null)
    .execute();

/** Closes items of the debts that an archived campaign has stopped. */
export const closeInboxItemsOfStopped = (em: EntityManager, campaignId: string, reasons: readonly InboxReason[]) =>
  queriesIn(em)
    .updateTable('inbox_items')
    .from('debts')
    .set({ closedAt: NOW })
    .whereRef('debts.id', '=', 'inbox_items.debtId')
    .where('debts.campaignId', '=', campaignId)
    .where('debts.status', '=', 'STOPPED')
    .where('inbox_items.reason', '=', anyOf(reasons, 'text').$castTo<InboxReason>())
    .where('inbox_items.closedAt', 'is', null)
    .execute();

/** A message has reached the persons of these debts. One that has ended as unreachable still waits for a decision. */
export const closeUndelivered = (em: EntityManager, debtIds: readonly string[]) =>
  queriesIn(em)
    .updateTable('inbox_items')
    .from('debts')
    .set({ closedAt: NOW })
    .whereRef('debts.id', '=', 'inbox_items.debtId')
    .where('inbox_items.debtId', '=', anyOf(debtIds, 'uuid'))
    .where('inbox_items.reason', '=', 'undelivered')
    .where('inbox_items.closedAt', 'is', null)
    .where('debts.status', '<>', 'UNREACHABLE')
    .execute();

/** An import has continued these debts, so that they wait for nothing. `afterPosition` is where the import began. */
export const closeUndeliveredOfContinued = (em: EntityManager, campaignId: string, afterPosition: number) =>
  queriesIn(em)
    .updateTable('inbox_items')
    .from((from) =>
      from
        .selectFrom('debts as fresh')
        .innerJoin('debts as ended', 'ended.identityId', 'fresh.identityId')
        .select('ended.id')
        .where('fresh.campaignId', '=', campaignId)
        .where('fresh.position', '>', afterPosition)
        .where('ended.status', '=', 'UNREACHABLE')
        .as('continued'),
    )
    .set({ closedAt: NOW })
    .whereRef('continued.id', '=', 'inbox_items.debtId')
    .where('inbox_items.reason', '=', 'undelivered')
    .where('inbox_items.closedAt', 'is', null)
    .execute();

/** What the creditor still has of the payments of a debt. */
const KEPT = sql<number>`coalesce(sum(case when charges.charged_back_at is null
  then greatest(charges.paid_centavos - charges.refunded_centavos, 0) end), 0)`;

/**
 * Returns what the payments of a debt ask of its client: `duplicate` when a second payment leaves the creditor with more
 * than the debt, so that a payment is to be returned, and `short` when a paid debt was returned so much that it is no
 * longer covered.
 */
export const moneyQuestions = (em: EntityManager, debtId: string) =>
  queriesIn(em)
    .selectFrom('debts')
    .leftJoin('charges', (join) => join.onRef('charges.debtId', '=', 'debts.id').on('charges.paidCentavos', '>', 0))
    .select(
      sql<boolean>`coalesce(bool_or(charges.duplicate and charges.charged_back_at is null
        and charges.paid_centavos > charges.refunded_centavos), false)
        and ${KEPT} > debts.original_amount_centavos`.as('duplicate'),
    )
    .select(
      sql<boolean>`debts.status = 'PAID'
        and coalesce(bool_or(charges.refunded_centavos > 0 or charges.charged_back_at is not null), false)
        and ${KEPT} < debts.original_amount_centavos`.as('short'),
    )
    .where('debts.id', '=', debtId)
    .groupBy('debts.id')
    .executeTakeFirst();
