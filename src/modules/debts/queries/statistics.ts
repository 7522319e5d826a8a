import { type Kysely, sql } from 'kysely';
import { prepared, type Tables } from '../../../platform/database/queries/builder.ts';

const STATUS_COLUMNS = [
  sql<number>`sum(debts)::bigint`.as('debts'),
  sql<number>`sum(amount_centavos)::bigint`.as('centavos'),
] as const;

const COUNTER_COLUMNS = [
  sql<number>`coalesce(sum(contacts_sent), 0)::bigint`.as('sent'),
  sql<number>`coalesce(sum(reminders_sent), 0)::bigint`.as('reminders'),
  sql<number>`coalesce(sum(contacts_blocked), 0)::bigint`.as('blocked'),
  sql<number>`coalesce(sum(messages_received), 0)::bigint`.as('received'),
  sql<number>`coalesce(sum(payments_approved), 0)::bigint`.as('approved'),
  sql<number>`coalesce(sum(recovered_centavos), 0)::bigint`.as('recovered'),
  sql<number>`coalesce(sum(recovered_fine_centavos), 0)::bigint`.as('recoveredFine'),
  sql<number>`coalesce(sum(recovered_interest_centavos), 0)::bigint`.as('recoveredInterest'),
  sql<number>`coalesce(sum(recovered_correction_centavos), 0)::bigint`.as('recoveredCorrection'),
  sql<number>`coalesce(sum(charged_fine_centavos), 0)::bigint`.as('chargedFine'),
  sql<number>`coalesce(sum(charged_interest_centavos), 0)::bigint`.as('chargedInterest'),
  sql<number>`coalesce(sum(charged_correction_centavos), 0)::bigint`.as('chargedCorrection'),
] as const;

const statusesOf = (queries: Kysely<Tables>, clientId: string) =>
  queries
    .selectFrom('campaign_status_counts')
    .select('status')
    .select(STATUS_COLUMNS)
    .where('clientId', '=', clientId)
    .groupBy('status');

const countersOf = (queries: Kysely<Tables>, clientId: string) =>
  queries.selectFrom('campaign_days').select(COUNTER_COLUMNS).where('clientId', '=', clientId);

interface OneCampaign {
  readonly clientId: string;
  readonly campaignId: string;
}

export const STATUSES_OF_CAMPAIGN = prepared('statistics_by_status', (queries, params: OneCampaign) =>
  statusesOf(queries, params.clientId).where('campaignId', '=', params.campaignId),
);

export const COUNTERS_OF_CAMPAIGN = prepared('statistics_counters', (queries, params: OneCampaign) =>
  countersOf(queries, params.clientId).where('campaignId', '=', params.campaignId),
);

export interface AllCampaigns {
  readonly clientId: string;
  readonly sandbox: boolean;
  /** True on a deployment with sandbox adapters only. */
  readonly sandboxOnly: boolean;
}

/** A campaign that was never launched counts as sandbox or real by what a launch on this deployment would make it. */
export const campaignIds = (queries: Kysely<Tables>, { clientId, sandbox, sandboxOnly }: AllCampaigns) =>
  queries
    .selectFrom('campaigns')
    .select('id')
    .where('clientId', '=', clientId)
    .where(sql<boolean>`coalesce(sandbox, ${sandboxOnly}) = ${sandbox}`);

export const STATUSES_OF_DASHBOARD = prepared('dashboard_by_status', (queries, params: AllCampaigns) =>
  statusesOf(queries, params.clientId).where('campaignId', 'in', campaignIds(queries, params)),
);

export const COUNTERS_OF_DASHBOARD = prepared('dashboard_counters', (queries, params: AllCampaigns) =>
  countersOf(queries, params.clientId)
    .select([
      sql<number>`coalesce(sum(promises_kept), 0)::bigint`.as('promisesKept'),
      sql<number>`coalesce(sum(promises_broken), 0)::bigint`.as('promisesBroken'),
    ])
    .where('campaignId', 'in', campaignIds(queries, params)),
);

export const DAYS_OF_DASHBOARD = prepared(
  'dashboard_days',
  (queries, params: AllCampaigns & { readonly firstDay: string }) =>
    countersOf(queries, params.clientId)
      .select('day')
      .where('campaignId', 'in', campaignIds(queries, params))
      .where('day', '>=', params.firstDay)
      .groupBy('day'),
);

export type StatusFigures = ReturnType<typeof STATUSES_OF_CAMPAIGN.rowsOf>[number];
export type Counters = ReturnType<typeof COUNTERS_OF_CAMPAIGN.rowsOf>[number];
/** The figures by status of the row's campaign, as `STATUSES_OF_CAMPAIGN` returns them. */
export const STATUSES_AS_JSON = sql<StatusFigures[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('status', status, 'debts', debts, 'centavos', centavos)), '[]')
  from (select status, sum(debts) as debts, sum(amount_centavos) as centavos from campaign_status_counts
    where client_id = campaigns.client_id and campaign_id = campaigns.id group by status) as figures)`;

/** The counters of the row's campaign, as `COUNTERS_OF_CAMPAIGN` returns them. */
export const COUNTERS_AS_JSON = sql<Counters>`(
  select jsonb_build_object('sent', coalesce(sum(contacts_sent), 0),
    'reminders', coalesce(sum(reminders_sent), 0), 'blocked', coalesce(sum(contacts_blocked), 0),
    'received', coalesce(sum(messages_received), 0), 'approved', coalesce(sum(payments_approved), 0),
    'recovered', coalesce(sum(recovered_centavos), 0),
    'recoveredFine', coalesce(sum(recovered_fine_centavos), 0),
    'recoveredInterest', coalesce(sum(recovered_interest_centavos), 0),
    'recoveredCorrection', coalesce(sum(recovered_correction_centavos), 0),
    'chargedFine', coalesce(sum(charged_fine_centavos), 0),
    'chargedInterest', coalesce(sum(charged_interest_centavos), 0),
    'chargedCorrection', coalesce(sum(charged_correction_centavos), 0))
  from campaign_days where client_id = campaigns.client_id and campaign_id = campaigns.id)`;

export type CountersOfDay = ReturnType<typeof DAYS_OF_DASHBOARD.rowsOf>[number];
