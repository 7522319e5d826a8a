import { sql } from 'kysely';
import { LIVE_DEBT_STATUSES, RUNNING_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { UNPLANNED } from './contact-plan.ts';

/** A campaign of a paused or cancelled client contacts nobody, and is looked at again when the client is active. */
const ACTIVE_CLIENTS = ['ONBOARDING', 'ACTIVE'] as const;

export interface Wanted {
  readonly campaignId: string | null;
  /** Debts whose workflow should have worked before this moment; null for all live debts. */
  readonly overdueSince: Date | null;
  /** How long before that moment a sandbox debt must have changed last, because its own clock runs ahead. */
  readonly sandboxMaxWaitMs: number;
}

/**
 * Selects the live debts of running campaigns that wait for no pause. A debt that has no plan yet belongs to its
 * campaign's workflow, and is late an hour later than others, because the planning of a large campaign takes its time.
 * The late debts are found first, by their own indexes, and belong to few clients. Joined at once, PostgreSQL would look
 * through all debts of each client for them.
 */
const liveDebts = (tx: Tx, { campaignId, overdueSince, sandboxMaxWaitMs }: Wanted, clientId?: string) =>
  queriesIn(tx)
    .with(
      (late) => late('late').materialized(),
      (queries) =>
        queries
          .selectFrom('debts')
          .select(['id', 'clientId', 'campaignId', 'sandbox', 'clockOffsetMs', 'status', 'nextContactAt', 'updatedAt'])
          .where('status', 'in', LIVE_DEBT_STATUSES)
          .where('pausedAt', 'is', null)
          .$if(clientId !== undefined, (query) => query.where('clientId', '=', clientId!))
          .$if(campaignId !== null, (query) => query.where('campaignId', '=', campaignId))
          .$if(overdueSince !== null, (query) =>
            query.where(({ or, and, eb }) =>
              or([
                and([eb('sandbox', '=', false), eb('nextContactAt', '<', overdueSince)]),
                and([
                  or([eb('sandbox', '=', true), eb('nextContactAt', 'is', null)]),
                  eb(
                    'updatedAt',
                    '<',
                    sql<Date>`${overdueSince}::timestamptz - case
                      when status = 'QUEUED' and next_contact_at is null then interval '1 hour'
                      when sandbox then make_interval(secs => ${sandboxMaxWaitMs / 1000})
                      else interval '0' end`,
                  ),
                ]),
              ]),
            ),
          ),
    )
    .selectFrom('late as debts')
    .innerJoin('campaigns', 'campaigns.id', 'debts.campaignId')
    .innerJoin('clients', 'clients.id', 'debts.clientId')
    .where('campaigns.status', '=', 'RUNNING')
    .where('clients.status', 'in', ACTIVE_CLIENTS);

/** Returns the clients that have such debts. */
export const clientsWithLateDebts = async (tx: Tx, wanted: Wanted): Promise<string[]> =>
  (await liveDebts(tx, wanted).select('debts.clientId').distinct().orderBy('debts.clientId').execute()).map(
    ({ clientId }) => clientId,
  );

interface Page {
  readonly clientId: string;
  /** The last debt of the previous page; null for the first one. */
  readonly after: string | null;
  readonly limit: number;
}

export const lateDebts = (tx: Tx, wanted: Wanted, { clientId, after, limit }: Page) =>
  liveDebts(tx, wanted, clientId)
    .select(['debts.id', 'debts.clientId', 'debts.campaignId', 'debts.sandbox', 'debts.clockOffsetMs'])
    .select(['debts.status', 'debts.nextContactAt', 'debts.updatedAt', 'campaigns.clocksHeld as clockHeld'])
    .$if(after !== null, (query) => query.where('debts.id', '>', after))
    .orderBy('debts.id')
    .limit(limit)
    .execute();

export type LateDebt = Awaited<ReturnType<typeof lateDebts>>[number];

/**
 * Returns running campaigns, and campaigns that have ended within two days. A workflow of the latter that still waits
 * has missed the end. `changedBefore` leaves time for the outbox to deliver what a change asked for.
 */
export const campaignsWithWorkflows = (tx: Tx, { campaignId, changedBefore, endedSince }: CampaignsWanted) =>
  queriesIn(tx)
    .selectFrom('campaigns')
    .innerJoin('clients', 'clients.id', 'campaigns.clientId')
    .select(['campaigns.id', 'campaigns.clientId', 'campaigns.status', 'campaigns.sandbox', 'campaigns.launchedAt'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('debts')
          .select('debts.id')
          .whereRef('debts.campaignId', '=', 'campaigns.id')
          .where('debts.status', 'in', RUNNING_DEBT_STATUSES),
      ).as('hasWork'),
    )
    // Planning a large import takes its time, so only debts that have waited an hour longer have been missed.
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('debts')
          .select('debts.id')
          .whereRef('debts.campaignId', '=', 'campaigns.id')
          .where(UNPLANNED)
          .where('debts.updatedAt', '<', sql<Date>`${changedBefore}::timestamptz - interval '1 hour'`),
      ).as('unplanned'),
    )
    .where('clients.status', 'in', ACTIVE_CLIENTS)
    .where('campaigns.updatedAt', '<', changedBefore)
    .where(({ or, and, eb }) =>
      or([
        eb('campaigns.status', '=', 'RUNNING'),
        and([eb('campaigns.status', 'in', ['COMPLETED', 'ARCHIVED']), eb('campaigns.updatedAt', '>=', endedSince)]),
      ]),
    )
    .$if(campaignId !== null, (query) => query.where('campaigns.id', '=', campaignId))
    .orderBy('campaigns.updatedAt')
    .execute();

interface CampaignsWanted {
  readonly campaignId: string | null;
  readonly changedBefore: Date;
  readonly endedSince: Date;
}

/**
 * Returns whether the timeline knows that the debt had the status, or that the client was asked about this end already.
 */
export const knowsEnd = async (tx: Tx, debtId: string, status: string): Promise<boolean> => {
  const { known } = await queriesIn(tx)
    .selectNoFrom(({ exists, selectFrom }) =>
      exists(
        selectFrom('debt_events')
          .select('seq')
          .where('debtId', '=', debtId)
          .where(({ or, and, eb }) =>
            or([
              and([eb('kind', '=', 'status_changed'), eb(sql`data ->> 'to'`, '=', status)]),
              and([eb('kind', '=', 'needs_person'), eb(sql`data ->> 'endedAs'`, '=', status)]),
            ]),
          ),
      ).as('known'),
    )
    .executeTakeFirstOrThrow();
  return Boolean(known);
};

/**
 * Returns the active agreements whose workflow should have acted before that moment; without one, all of them. A sandbox
 * agreement has a clock of its own, so that its last change counts.
 */
export const lateAgreements = (tx: Tx, { campaignId, overdueSince, sandboxMaxWaitMs }: Wanted) =>
  queriesIn(tx)
    .selectFrom('agreements')
    .innerJoin('debts', 'debts.id', 'agreements.debtId')
    .innerJoin('campaigns', 'campaigns.id', 'debts.campaignId')
    .innerJoin('clients', 'clients.id', 'agreements.clientId')
    .select(['agreements.id', 'agreements.clientId', 'agreements.sandbox', 'debts.clockOffsetMs'])
    .select('campaigns.clocksHeld as clockHeld')
    .where('agreements.status', '=', 'ACTIVE')
    .where('agreements.nextAt', 'is not', null)
    .where('clients.status', 'in', ACTIVE_CLIENTS)
    .$if(campaignId !== null, (query) => query.where('debts.campaignId', '=', campaignId))
    .$if(overdueSince !== null, (query) =>
      query.where(
        sql<boolean>`case when agreements.sandbox
          then agreements.updated_at < ${overdueSince}::timestamptz - make_interval(secs => ${sandboxMaxWaitMs / 1000})
          else agreements.next_at < ${overdueSince}::timestamptz end`,
      ),
    )
    .orderBy('agreements.nextAt')
    .limit(MAX_AT_ONCE)
    .execute();

/** The schedule finds the others in its next run. */
const MAX_AT_ONCE = 1_000;
