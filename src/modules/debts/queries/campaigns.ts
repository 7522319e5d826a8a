import { type Kysely, sql } from 'kysely';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { prepared, type Tables } from '../../../platform/database/queries/builder.ts';
import { nameOfMember } from '../../accounts/queries/member-names.ts';
import type { DueReminders } from '../../policy/rules/reminder-days.ts';
import { COUNTERS_AS_JSON, STATUSES_AS_JSON } from './statistics.ts';

const CAMPAIGN_COLUMNS = [
  'id',
  'name',
  'status',
  'sandbox',
  'channels',
  'sequence',
  'contactHours',
  'reminders',
  'senderName',
  'onPartial',
  'createdAt',
  'launchedAt',
  'launchedBy',
] as const;

/** Who launched it. A campaign that is being created needs no look-up. */
const LAUNCHER = nameOfMember('campaigns.launched_by').as('launcherName');

interface OneCampaign {
  readonly clientId: string;
  readonly campaignId: string;
}

export const CAMPAIGN_EXISTS = prepared('campaign_exists', (queries, params: OneCampaign) =>
  queries
    .selectFrom('campaigns')
    .select('id')
    .where('clientId', '=', params.clientId)
    .where('id', '=', params.campaignId),
);

/** Whether the simulated clocks of a campaign are held. */
export const CLOCKS_OF_CAMPAIGN = prepared('clocks_of_campaign', (queries, params: OneCampaign) =>
  queries
    .selectFrom('campaigns')
    .select('clocksHeld')
    .where('clientId', '=', params.clientId)
    .where('id', '=', params.campaignId),
);

export const READ_CAMPAIGN = prepared('read_campaign', (queries, params: OneCampaign) =>
  queries
    .selectFrom('campaigns')
    .select(CAMPAIGN_COLUMNS)
    .select(LAUNCHER)
    .where('clientId', '=', params.clientId)
    .where('id', '=', params.campaignId),
);

export type ListedCampaign = ReturnType<typeof READ_CAMPAIGN.rowsOf>[number];

interface CampaignPage {
  readonly clientId: string;
  /** The moment and the id of the last campaign of the page before. The moment may be `infinity`. */
  readonly createdAt: string;
  readonly id: string;
  readonly limit: number;
}

const pageOfCampaigns = (queries: Kysely<Tables>, params: CampaignPage) =>
  queries
    .selectFrom('campaigns')
    .select(CAMPAIGN_COLUMNS)
    .select(LAUNCHER)
    .where('clientId', '=', params.clientId)
    .where(sql<boolean>`(created_at, id) < (${params.createdAt}::timestamptz, ${params.id}::uuid)`)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(params.limit);

export const LIST_CAMPAIGNS = prepared('list_campaigns', pageOfCampaigns);

/** The same page with the figures of each campaign, in one statement for all of them. */
export const LIST_CAMPAIGNS_WITH_STATISTICS = prepared(
  'list_campaigns_with_statistics',
  (queries, params: CampaignPage) =>
    pageOfCampaigns(queries, params).select([STATUSES_AS_JSON.as('statuses'), COUNTERS_AS_JSON.as('counters')]),
);

interface NewCampaign {
  readonly clientId: string;
  readonly id: string;
  readonly name: string;
  /** Null for all that the client has. */
  readonly channels: readonly RealChannel[] | null;
  /** `DueReminders` as JSON; null for none. */
  readonly reminders: string | null;
  /** True for an example, which belongs to the sandbox before its launch; null when the launch decides. */
  readonly sandbox: true | null;
  readonly at: Date;
  /** The source of the client's request, for the audit log. */
  readonly ip: string;
  readonly by: string;
}

/** Creates a campaign and writes the audit log about it. Returns no row when the campaign exists already. */
export const CREATE_CAMPAIGN = prepared('create_campaign', (queries, params: NewCampaign) =>
  queries
    .with('made', (queries) =>
      queries
        .insertInto('campaigns')
        .values({
          id: params.id,
          clientId: params.clientId,
          name: params.name,
          channels: sql<RealChannel[] | null>`${params.channels}::text[]`,
          reminders: sql<DueReminders | null>`${params.reminders}::jsonb`,
          status: 'DRAFT',
          sandbox: sql<boolean | null>`${params.sandbox}::boolean`,
          createdAt: params.at,
          updatedAt: params.at,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning(CAMPAIGN_COLUMNS)
        .returning(sql<string | null>`null::text`.as('launcherName')),
    )
    .with('audited', (queries) =>
      queries
        .insertInto('audit_log')
        .columns(['clientId', 'actor', 'action', 'target', 'ip', 'details'])
        .expression((queries) =>
          queries
            .selectFrom('made')
            .select([
              sql`${params.clientId}::uuid`.as('clientId'),
              sql.lit('client').as('actor'),
              sql.lit('campaign_created').as('action'),
              'made.id as target',
              sql`${params.ip}::text`.as('ip'),
              sql`jsonb_build_object('by', ${params.by}::text)`.as('details'),
            ]),
        ),
    )
    .selectFrom('made')
    .selectAll(),
);
