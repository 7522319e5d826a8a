import { DAY } from '../../../kernel/calendar.ts';
import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { Wanted } from './lost-workflows.ts';

type Overdue = Pick<Wanted, 'overdueSince'>;

/** The schedule finds the others in its next run. */
const MAX_AT_ONCE = 1_000;

/**
 * Returns the webhooks for which a delivery has been due since before that moment, without a pause; without a moment,
 * those for which one waits. One that was deleted is among them, so that its workflow deletes what is left. The index of
 * pending deliveries has rows only while something waits.
 */
export const webhooksWithWaiting = (tx: Tx, { overdueSince }: Overdue) =>
  queriesIn(tx)
    .selectFrom('webhook_deliveries')
    .leftJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhookId')
    .select(['webhook_deliveries.webhookId as id', 'webhook_deliveries.clientId'])
    .select(({ fn }) => fn.min<Date>('webhook_deliveries.nextAttemptAt').as('since'))
    .where('webhook_deliveries.state', '=', 'pending')
    .$if(overdueSince !== null, (query) =>
      query
        .where('webhook_deliveries.nextAttemptAt', '<', overdueSince!)
        .where(({ eb, or }) =>
          or([eb('webhooks.pausedUntil', 'is', null), eb('webhooks.pausedUntil', '<', overdueSince!)]),
        ),
    )
    .groupBy(['webhook_deliveries.webhookId', 'webhook_deliveries.clientId'])
    .orderBy('since')
    .limit(MAX_AT_ONCE)
    .execute();

/** Nobody is asked a day after having written, so that the index by `created_at` leads to the few that still may be. */
const MAY_BE_ASKED_MS = DAY;

/** Returns the people who are to be asked for the phone, and still may be. */
export const bookedPhoneRequests = (tx: Tx, { overdueSince }: Overdue, now: Date) =>
  queriesIn(tx)
    .selectFrom('phone_requests')
    .select(['id as requestId', 'clientId'])
    .where('delivery', '=', 'booked')
    .where('askUntil', '>', now)
    .where('createdAt', '>', new Date(now.getTime() - MAY_BE_ASKED_MS))
    .$if(overdueSince !== null, (query) => query.where('createdAt', '<', overdueSince!))
    .orderBy('createdAt')
    .limit(MAX_AT_ONCE)
    .execute();
