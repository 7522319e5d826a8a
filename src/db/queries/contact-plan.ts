import type { EntityManager } from '@mikro-orm/postgresql';
import { type NotNull, sql } from 'kysely';
import { LIVE_DEBT_STATUSES } from '../../domain/debt-status.ts';
import { NOW, queriesIn } from './builder.ts';
import { debtContexts } from './debts.ts';

interface Page {
  readonly campaignId: string;
  /** The last debt of the previous page. */
  readonly after: { readonly score: number; readonly id: string } | null;
  readonly limit: number;
}

/**
 * Returns the queued debts of a campaign that have a score. This statement defines the order of first contacts: the
 * highest score comes first, and equal scores are ordered by id so that two runs agree.
 */
export function debtsToContact(em: EntityManager, { campaignId, after, limit }: Page) {
  const queued = debtContexts(em)
    .where('debts.campaignId', '=', campaignId)
    .where('debts.status', '=', 'QUEUED')
    .where('debts.scoredAt', 'is not', null);
  const page =
    after === null
      ? queued
      : queued.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('debts.score', 'debts.id'), '<', tuple(after.score, after.id)),
        );
  return page
    .orderBy('debts.score', 'desc')
    .orderBy('debts.id', 'desc')
    .limit(limit)
    .$narrowType<{ score: NotNull }>()
    .execute();
}

export const storeFirstContacts = (
  em: EntityManager,
  contacts: readonly { readonly debtId: string; readonly at: Date }[],
) =>
  queriesIn(em)
    .updateTable('debts')
    .from(
      sql<{ id: string; at: Date }>`unnest(
        ${contacts.map(({ debtId }) => debtId)}::uuid[],
        ${contacts.map(({ at }) => at)}::timestamptz[]
      )`.as<'planned'>(sql`planned (id, at)`),
    )
    .set(({ ref }) => ({ nextContactAt: ref('planned.at') }))
    .whereRef('debts.id', '=', 'planned.id')
    .execute();

/** Returns whether live debts are left, and the status of the campaign or null when it does not exist. */
export const workLeft = (em: EntityManager, campaignId: string) =>
  queriesIn(em)
    .selectNoFrom(({ exists, selectFrom }) => [
      exists(
        selectFrom('debts').select('id').where('campaignId', '=', campaignId).where('status', 'in', LIVE_DEBT_STATUSES),
      ).as('live'),
      selectFrom('campaigns').select('status').where('id', '=', campaignId).as('status'),
    ])
    .executeTakeFirstOrThrow();

/** A completed campaign runs again when one of its debts is to be collected again. */
export const runCampaignAgain = (em: EntityManager, campaignId: string) =>
  queriesIn(em)
    .updateTable('campaigns')
    .set({ status: 'RUNNING', updatedAt: NOW })
    .where('id', '=', campaignId)
    .where('status', '=', 'COMPLETED')
    .execute();
