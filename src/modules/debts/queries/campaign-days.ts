import { type Insertable, type RawBuilder, sql } from 'kysely';
import { prepared, type Tables } from '../../../platform/database/queries/builder.ts';

/** The day of the statistics, by the clock of the database. */
export const CAMPAIGN_DAY = sql<string>`(quita_now() at time zone 'America/Sao_Paulo')::date`;

type Counter = Exclude<keyof Tables['campaign_days'], 'campaignId' | 'day' | 'slot' | 'clientId'>;

/** What the counters become where the day has a row already. */
export const sumsOf = <Counted extends Counter>(counters: readonly Counted[]) =>
  Object.fromEntries(
    counters.map((counter) => [counter, sql<number>`campaign_days.${sql.ref(counter)} + excluded.${sql.ref(counter)}`]),
  ) as Record<Counted, RawBuilder<number>>;

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
        conflict
          .columns(['campaignId', 'day', 'slot'])
          .doUpdateSet(
            sumsOf([
              'contactsSent',
              'remindersSent',
              'contactsBlocked',
              'messagesReceived',
              'paymentsApproved',
              'recoveredCentavos',
              'recoveredFineCentavos',
              'recoveredInterestCentavos',
              'recoveredCorrectionCentavos',
              'chargedFineCentavos',
              'chargedInterestCentavos',
              'chargedCorrectionCentavos',
              'promisesKept',
              'promisesBroken',
            ]),
          ),
      ),
);
