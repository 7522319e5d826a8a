import { sql } from 'kysely';
import type { CampaignStatus } from '../../../kernel/campaign-status.ts';
import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { ACTING_MEMBER, NOW, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { takenTermsId } from '../../terms/queries/late-payment-terms.ts';

const campaignStatus = (tx: Tx, campaignId: string) =>
  queriesIn(tx).selectFrom('campaigns').select(['status', 'name', 'sandbox']).where('id', '=', campaignId);

export const readCampaignStatus = (tx: Tx, campaignId: string) => campaignStatus(tx, campaignId).executeTakeFirst();

export const holdClocks = (tx: Tx, campaignId: string, clocksHeld: boolean) =>
  queriesIn(tx).updateTable('campaigns').set({ clocksHeld }).where('id', '=', campaignId).execute();

export const lockCampaign = (tx: Tx, campaignId: string) =>
  campaignStatus(tx, campaignId).forNoKeyUpdate().executeTakeFirst();

export const lockRunningCampaign = (tx: Tx, campaignId: string) =>
  campaignStatus(tx, campaignId).where('status', '=', 'RUNNING').forNoKeyUpdate().executeTakeFirst();

/** Returns nothing when the campaign has none of the statuses in `from`. */
export const changeCampaignStatus = (
  tx: Tx,
  campaignId: string,
  { from, to }: { readonly from: readonly CampaignStatus[]; readonly to: CampaignStatus },
) =>
  queriesIn(tx)
    .updateTable('campaigns')
    .set({ status: to, updatedAt: NOW })
    .where('id', '=', campaignId)
    .where('status', '=', sql<CampaignStatus>`any(${from}::text[])`)
    .returning('id')
    .executeTakeFirst();

/** Returns nothing when the campaign does not run or has a debt in one of `liveStatuses`. */
export const completeCampaignWithout = (tx: Tx, campaignId: string, liveStatuses: readonly DebtStatus[]) =>
  queriesIn(tx)
    .updateTable('campaigns')
    .set({ status: 'COMPLETED', updatedAt: NOW })
    .where('id', '=', campaignId)
    .where('status', '=', 'RUNNING')
    .where((campaign) =>
      campaign.not(
        campaign.exists(
          campaign
            .selectFrom('debts')
            .select('debts.id')
            .where('debts.campaignId', '=', campaignId)
            .where('debts.status', '=', sql<DebtStatus>`any(${liveStatuses}::text[])`),
        ),
      ),
    )
    .returning('id')
    .executeTakeFirst();

/** Returns a campaign with what decides whether its client may launch it. */
const campaignToLaunch = (tx: Tx, campaignId: string) =>
  queriesIn(tx)
    .selectFrom('campaigns')
    .innerJoin('clients', 'clients.id', 'campaigns.clientId')
    .select([
      'campaigns.status',
      'campaigns.channels',
      'campaigns.reminders',
      'campaigns.sandbox',
      'campaigns.senderName',
    ])
    .select(['clients.name', 'clients.cnpj', 'clients.address', 'clients.contactEmail'])
    .select((row) => [
      row('clients.verifiedAt', 'is not', null).$castTo<boolean>().as('verified'),
      row('clients.emailConfirmedAt', 'is not', null).$castTo<boolean>().as('confirmed'),
    ])
    .where('campaigns.id', '=', campaignId);

/** Locks the campaign only, not its client. */
export const lockCampaignToLaunch = (tx: Tx, campaignId: string) =>
  campaignToLaunch(tx, campaignId).forNoKeyUpdate('campaigns').executeTakeFirst();

/** Reads the same without a lock, and whether the campaign has a debt. */
export const readCampaignToLaunch = (tx: Tx, campaignId: string) =>
  campaignToLaunch(tx, campaignId)
    .select((row) =>
      row
        .exists(row.selectFrom('debts').select('debts.id').whereRef('debts.campaignId', '=', 'campaigns.id'))
        .$castTo<boolean>()
        .as('hasDebts'),
    )
    .executeTakeFirst();

export type CampaignToLaunch = NonNullable<Awaited<ReturnType<typeof lockCampaignToLaunch>>>;

/**
 * Returns how many debts were queued, and whether the campaign has no debts at all. The rows are locked in the order in
 * which every transaction locks them.
 */
export const queueDebts = (tx: Tx, campaignId: string, sandbox: boolean) =>
  queriesIn(tx)
    .with('imported', (queries) =>
      queries
        .selectFrom('debts')
        .select('id')
        .where('campaignId', '=', campaignId)
        .where('status', '=', 'IMPORTED')
        .orderBy('id')
        .forNoKeyUpdate(),
    )
    .with('queued', (queries) =>
      queries
        .updateTable('debts')
        .from('imported')
        .set({ status: 'QUEUED', sandbox, termsId: takenTermsId('debts.due_date', 'debts.client_id'), updatedAt: NOW })
        .whereRef('debts.id', '=', 'imported.id')
        .returning('debts.id'),
    )
    .selectFrom('queued')
    .select((row) => [
      row.fn.countAll<number>().as('queued'),
      row
        .not(row.exists(row.selectFrom('debts').select('debts.id').where('debts.campaignId', '=', campaignId)))
        .$castTo<boolean>()
        .as('empty'),
    ])
    .executeTakeFirstOrThrow();

/** A debt that a message moved out of IMPORTED before the launch takes its terms as the others do. */
export const takeTermsOfMovedDebts = (tx: Tx, campaignId: string) =>
  queriesIn(tx)
    .updateTable('debts')
    .set({ termsId: takenTermsId('debts.due_date', 'debts.client_id') })
    .where('campaignId', '=', campaignId)
    .where('status', '<>', 'QUEUED')
    .where(sql<boolean>`${takenTermsId('debts.due_date', 'debts.client_id')} is not null`)
    .execute();

/** A debt that a message moved out of IMPORTED before the launch must not be resumed later as a real debt. */
export const markDebtsAsSandbox = (tx: Tx, campaignId: string) =>
  queriesIn(tx)
    .updateTable('debts')
    .set({ sandbox: true, updatedAt: NOW })
    .where('campaignId', '=', campaignId)
    .where('sandbox', '=', false)
    .where('status', '<>', 'PAID')
    .execute();

/** The launch into the sandbox left the debt as it was, because it was paid then. */
export const markDebtAsSandbox = (tx: Tx, debtId: string) =>
  queriesIn(tx).updateTable('debts').set({ sandbox: true, updatedAt: NOW }).where('id', '=', debtId).execute();

export const startCampaign = (
  tx: Tx,
  campaignId: string,
  { sandbox, launchedAt }: { readonly sandbox: boolean; readonly launchedAt: Date },
) =>
  queriesIn(tx)
    .updateTable('campaigns')
    .set({ status: 'RUNNING', sandbox, launchedAt, launchedBy: ACTING_MEMBER, updatedAt: NOW })
    .where('id', '=', campaignId)
    .execute();

/**
 * Stops the debts of a campaign that have one of the statuses in `from`, and adds the event to their timelines. Each
 * event is dated by the debt's own clock, and `greatest` keeps the timeline from going back.
 */
export const stopDebts = (
  tx: Tx,
  campaignId: string,
  { from, at }: { readonly from: readonly DebtStatus[]; readonly at: Date },
) =>
  queriesIn(tx)
    .with('before', (queries) =>
      queries
        .selectFrom('debts')
        .select(['id', 'status'])
        .where('campaignId', '=', campaignId)
        .where('status', '=', sql<DebtStatus>`any(${from}::text[])`)
        .orderBy('id')
        .forNoKeyUpdate(),
    )
    .with('stopped', (queries) =>
      queries
        .updateTable('debts')
        .from('before')
        .set({
          status: 'STOPPED',
          nextContactAt: null,
          pausedAt: null,
          updatedAt: NOW,
          lastEventAt: sql<Date>`greatest(last_event_at,
            ${at}::timestamptz + make_interval(secs => clock_offset_ms / 1000.0))`,
        })
        .whereRef('debts.id', '=', 'before.id')
        .returning(['debts.id', 'debts.clientId', 'debts.lastEventAt', 'before.status']),
    )
    .insertInto('debt_events')
    .columns(['clientId', 'debtId', 'at', 'kind', 'data'])
    .expression((queries) =>
      queries
        .selectFrom('stopped')
        .select([
          'clientId',
          'id',
          'lastEventAt',
          sql.lit('status_changed').as('kind'),
          sql`jsonb_build_object('from', status, 'to', 'STOPPED')`.as('data'),
        ])
        .orderBy('id'),
    )
    .execute();

/** A completed campaign runs again when one of its debts is to be collected again. */
export const runCampaignAgain = (tx: Tx, campaignId: string) =>
  queriesIn(tx)
    .updateTable('campaigns')
    .set({ status: 'RUNNING', updatedAt: NOW })
    .where('id', '=', campaignId)
    .where('status', '=', 'COMPLETED')
    .execute();

/** Returns whether a debt of the campaign has an active agreement. */
export const hasAgreements = async (tx: Tx, campaignId: string): Promise<boolean> =>
  undefined !==
  (await queriesIn(tx)
    .selectFrom('debts')
    .select('id')
    .where('campaignId', '=', campaignId)
    .where('status', '=', 'AGREEMENT')
    .limit(1)
    .executeTakeFirst());
