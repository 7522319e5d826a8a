import { sql } from 'kysely';
import { prepared } from '../../../platform/database/queries/builder.ts';
import { ENDS_LISTINGS } from '../../debts/rules/bureau-listings.ts';
import type { ListingState } from '../rules/listing-states.ts';

const HAS_TO_GO = sql<boolean>`current.status in (${sql.join(ENDS_LISTINGS.map((status) => sql.lit(status)))})`;

/** By the clock of the debt, because the term is. */
const IS_LATE = sql<boolean>`bureau_listings.remove_by
  < quita_now() + make_interval(secs => current.clock_offset_ms / 1000.0)`;

const STATE = sql<ListingState>`case when bureau_listings.removed_on is not null then 'removed'
  when not ${HAS_TO_GO} or bureau_listings.remove_by is null then 'listed'
  when ${IS_LATE} then 'late' else 'to_remove' end`;

interface ReportPage {
  readonly clientId: string;
  readonly state: ListingState | null;
  readonly debtId: string | null;
  readonly beforeAt: Date;
  readonly beforeId: string;
  readonly limit: number;
}

/** Lists what the client has listed at bureaus, the newest first. Of a debt it has what was recorded by any of its rows. */
export const LISTING_REPORT = prepared('list_bureau_listings', (queries, params: ReportPage) =>
  queries
    .selectFrom('bureau_listings')
    .innerJoin('debts', 'debts.id', 'bureau_listings.debtId')
    .innerJoin('debts as current', (join) =>
      join.onRef('current.identityId', '=', 'debts.identityId').on('current.continuedBy', 'is', null),
    )
    .select(['bureau_listings.id', 'bureau_listings.bureau', 'bureau_listings.listedOn', 'bureau_listings.notifiedOn'])
    .select(['bureau_listings.removedOn', 'bureau_listings.createdAt', 'current.id as debtId', 'current.invoiceId'])
    .select(['current.debtorName', 'current.sandbox', STATE.as('state')])
    .select(sql<Date | null>`case when ${HAS_TO_GO} then bureau_listings.remove_by end`.as('removeBy'))
    .where('bureau_listings.clientId', '=', params.clientId)
    .where(sql<boolean>`(${params.state}::text is null or ${STATE} = ${params.state}::text)`)
    .where(sql<boolean>`(${params.debtId}::uuid is null or debts.identity_id = (
      select named.identity_id from debts as named where named.id = ${params.debtId}::uuid))`)
    .where(
      sql<boolean>`(bureau_listings.created_at, bureau_listings.id) < (${params.beforeAt}::timestamptz, ${params.beforeId}::uuid)`,
    )
    .orderBy('bureau_listings.createdAt', 'desc')
    .orderBy('bureau_listings.id', 'desc')
    .limit(params.limit),
);
