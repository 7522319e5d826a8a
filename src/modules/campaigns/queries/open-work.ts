import { sql } from 'kysely';
import { IS_AWAKE, prepared } from '../../../platform/database/queries/builder.ts';
import { type AllCampaigns, campaignIds } from '../../debts/queries/statistics.ts';

/** Sums the open debts of each due date up to a day. */
export const OPEN_BY_DUE_DATE = prepared(
  'dashboard_open_by_due_date',
  (queries, params: AllCampaigns & { readonly today: string }) =>
    queries
      .selectFrom('campaign_due_counts')
      .select('dueDate')
      .select([sql<number>`sum(debts)::bigint`.as('debts'), sql<number>`sum(amount_centavos)::bigint`.as('centavos')])
      .where('clientId', '=', params.clientId)
      .where('campaignId', 'in', campaignIds(queries, params))
      .where('dueDate', '<=', params.today)
      .groupBy('dueDate'),
);

/**
 * Counts the debts that wait for the staff and are not snoozed. A debt with several reasons counts once. The open items
 * are read first, because they are few, and each debt is looked up by its id: the limit keeps PostgreSQL from joining
 * them at once, for which it would read all debts of the client.
 */
export const WAITING_DEBTS = prepared('dashboard_waiting', (queries, params: AllCampaigns) =>
  queries
    .with(
      (cte) => cte('open').materialized(),
      (items) =>
        items
          .selectFrom('inbox_items')
          .select('debtId')
          .distinct()
          .where('clientId', '=', params.clientId)
          .where('closedAt', 'is', null)
          .where(IS_AWAKE),
    )
    .selectFrom('open')
    .innerJoinLateral(
      (debts) =>
        debts.selectFrom('debts').select('campaignId').whereRef('debts.id', '=', 'open.debtId').limit(1).as('debt'),
      (join) => join.onTrue(),
    )
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('debt.campaignId', 'in', campaignIds(queries, params)),
);
