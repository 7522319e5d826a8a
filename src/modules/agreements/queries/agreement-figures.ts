import { type Kysely, sql } from 'kysely';
import { anyOf, prepared, type Tables } from '../../../platform/database/queries/builder.ts';

/** What the creditor still has of the money that came by the agreement beside it. */
const RECOVERED = sql<number>`coalesce((
  select sum(greatest(0, paid.paid_centavos - paid.refunded_centavos)) from charges as paid
  where paid.agreement_id = agreements.id and paid.charged_back_at is null), 0)::bigint`;

/**
 * Selects each debt of the client's agreements, except those that staff have cancelled. The agreements are read first,
 * because they are few, and each debt is looked up by its id: the limit keeps PostgreSQL from reading all debts of the
 * client.
 */
const partsOf = (queries: Kysely<Tables>, clientId: string) =>
  queries
    .with(
      (cte) => cte('own').materialized(),
      (own) =>
        own
          .selectFrom('agreements')
          .select(['id', 'status', 'sandbox', RECOVERED.as('recovered')])
          .where('clientId', '=', clientId)
          .where('status', '<>', sql.lit('CANCELLED' as const)),
    )
    .with(
      (cte) => cte('parts').materialized(),
      (parts) =>
        parts
          .selectFrom('own')
          .innerJoin('agreement_debts as part', 'part.agreementId', 'own.id')
          .innerJoinLateral(
            (debts) =>
              debts
                .selectFrom('debts')
                .select(['campaignId', 'dueDate', 'originalAmountCentavos'])
                .whereRef('debts.id', '=', 'part.debtId')
                .limit(1)
                .as('debt'),
            (join) => join.onTrue(),
          )
          .select(['own.id', 'own.status', 'own.sandbox', 'own.recovered', 'part.position'])
          .select(['debt.campaignId', 'debt.dueDate', 'debt.originalAmountCentavos'])
          // An agreement about several debts of one campaign counts once there.
          .select(
            sql<boolean>`row_number() over (partition by debt.campaign_id, own.id order by part.position) = 1`.as(
              'firstOfCampaign',
            ),
          ),
    )
    .selectFrom('parts')
    .select(['parts.status', 'parts.dueDate'])
    .select(({ fn }) => fn.countAll<number>().as('debts'))
    .select(sql<number>`sum(parts.original_amount_centavos)::bigint`.as('centavos'));

/** Sums the agreements of campaigns, by status and by the due date of their debts. */
export const AGREEMENTS_OF_CAMPAIGNS = prepared(
  'agreements_of_campaigns',
  (queries, { clientId, campaignIds }: { readonly clientId: string; readonly campaignIds: readonly string[] }) =>
    partsOf(queries, clientId)
      .select('parts.campaignId')
      .select(sql<number>`count(*) filter (where parts.first_of_campaign)`.as('agreements'))
      .select(
        sql<number>`coalesce(sum(parts.recovered) filter (where parts.first_of_campaign), 0)::bigint`.as('recovered'),
      )
      .where('parts.campaignId', '=', anyOf(campaignIds, 'uuid'))
      .groupBy(['parts.campaignId', 'parts.status', 'parts.dueDate']),
);

/** Sums all agreements of a client, each of them once. */
export const AGREEMENTS_OF_DASHBOARD = prepared(
  'agreements_of_dashboard',
  (queries, { clientId, sandbox }: { readonly clientId: string; readonly sandbox: boolean }) =>
    partsOf(queries, clientId)
      .select(sql<number>`count(*) filter (where parts.position = 1)`.as('agreements'))
      .select(sql<number>`coalesce(sum(parts.recovered) filter (where parts.position = 1), 0)::bigint`.as('recovered'))
      .where('parts.sandbox', '=', sandbox)
      .groupBy(['parts.status', 'parts.dueDate']),
);

export type AgreementSums = ReturnType<typeof AGREEMENTS_OF_DASHBOARD.rowsOf>[number];
