import { type Insertable, sql } from 'kysely';
import { prepared, type Tables } from '../../../platform/database/queries/builder.ts';

/** The day of the statistics, by the clock of the database. */
export const CAMPAIGN_DAY = sql<string>`(quita_now() at time zone 'America/Sao_Paulo')::date`;

/** Adds to today's counters of a campaign, in one of the slots over which they are spread. */
export const addToCampaignDay = prepared(
  'campaign_day_add',
  (queries, counts: Required<Omit<Insertable<Tables['campaign_days']>, 'day'>>) =>
    queries
      .insertInto('campaign_days')
      .values({
        day: CAMPAIGN_DAY,
        campaignId: counts.campaignId,
        clientId: counts.clientId,
        slot: counts.slot,
        contactsSent: counts.contactsSent,
        remindersSent: counts.remindersSent,
        contactsBlocked: counts.contactsBlocked,
        messagesReceived: counts.messagesReceived,
        paymentsApproved: counts.paymentsApproved,
        recoveredCentavos: counts.recoveredCentavos,
        recoveredFineCentavos: counts.recoveredFineCentavos,
        recoveredInterestCentavos: counts.recoveredInterestCentavos,
        recoveredCorrectionCentavos: counts.recoveredCorrectionCentavos,
        chargedFineCentavos: counts.chargedFineCentavos,
        chargedInterestCentavos: counts.chargedInterestCentavos,
        chargedCorrectionCentavos: counts.chargedCorrectionCentavos,
        promisesKept: counts.promisesKept,
        promisesBroken: counts.promisesBroken,
      })
      .onConflict((conflict) =>
        conflict.columns(['campaignId', 'day', 'slot']).doUpdateSet((row) => ({
          contactsSent: row('campaign_days.contactsSent', '+', row.ref('excluded.contactsSent')),
          remindersSent: row('campaign_days.remindersSent', '+', row.ref('excluded.remindersSent')),
          contactsBlocked: row('campaign_days.contactsBlocked', '+', row.ref('excluded.contactsBlocked')),
          messagesReceived: row('campaign_days.messagesReceived', '+', row.ref('excluded.messagesReceived')),
          paymentsApproved: row('campaign_days.paymentsApproved', '+', row.ref('excluded.paymentsApproved')),
          recoveredCentavos: row('campaign_days.recoveredCentavos', '+', row.ref('excluded.recoveredCentavos')),
          recoveredFineCentavos: row(
            'campaign_days.recoveredFineCentavos',
            '+',
            row.ref('excluded.recoveredFineCentavos'),
          ),
          recoveredInterestCentavos: row(
            'campaign_days.recoveredInterestCentavos',
            '+',
            row.ref('excluded.recoveredInterestCentavos'),
          ),
          recoveredCorrectionCentavos: row(
            'campaign_days.recoveredCorrectionCentavos',
            '+',
            row.ref('excluded.recoveredCorrectionCentavos'),
          ),
          chargedFineCentavos: row('campaign_days.chargedFineCentavos', '+', row.ref('excluded.chargedFineCentavos')),
          chargedInterestCentavos: row(
            'campaign_days.chargedInterestCentavos',
            '+',
            row.ref('excluded.chargedInterestCentavos'),
          ),
          chargedCorrectionCentavos: row(
            'campaign_days.chargedCorrectionCentavos',
            '+',
            row.ref('excluded.chargedCorrectionCentavos'),
          ),
          promisesKept: row('campaign_days.promisesKept', '+', row.ref('excluded.promisesKept')),
          promisesBroken: row('campaign_days.promisesBroken', '+', row.ref('excluded.promisesBroken')),
        })),
      ),
);
