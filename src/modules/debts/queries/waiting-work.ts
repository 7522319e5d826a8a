import { sql } from 'kysely';
import { prepared } from '../../../platform/database/queries/builder.ts';

/** A count ends here, so that a large backlog does not make every scrape of the metrics slow. */
const MAX_COUNTED = 10_000;

const COUNT = sql<number>`count(*)::int`.as('waiting');
const AGE = sql<number>`greatest(0, coalesce(extract(epoch from quita_now() - min(since)), 0))::float8`.as(
  'oldestSeconds',
);

/** Messages of debtors, of all clients, that are not handled. They are read from a partial index of such rows. */
export const UNHANDLED_MESSAGES = prepared('waiting_messages', (queries) =>
  queries
    .selectFrom((from) =>
      from
        .selectFrom('messages')
        .select('createdAt as since')
        .where('direction', '=', sql.lit('in'))
        .where('handledAt', 'is', null)
        .limit(sql.lit(MAX_COUNTED))
        .as('unhandled'),
    )
    .select([COUNT, AGE]),
);

/** Payment notifications that are not handled, likewise. */
export const UNHANDLED_NOTIFICATIONS = prepared('waiting_notifications', (queries) =>
  queries
    .selectFrom((from) =>
      from
        .selectFrom('payment_notifications')
        .select('createdAt as since')
        .where('handledAt', 'is', null)
        .limit(sql.lit(MAX_COUNTED))
        .as('unhandled'),
    )
    .select([COUNT, AGE]),
);

/** Events that a webhook has not taken, likewise. `oldestSeconds` tells how long the oldest attempt is overdue. */
export const WAITING_DELIVERIES = prepared('waiting_deliveries', (queries) =>
  queries
    .selectFrom((from) =>
      from
        .selectFrom('webhook_deliveries')
        .select('nextAttemptAt as since')
        .where('state', '=', sql.lit('pending'))
        .limit(sql.lit(MAX_COUNTED))
        .as('pending'),
    )
    .select([COUNT, AGE]),
);

/** The connected senders by channel and state. A client has one for each channel. */
export const SENDERS_BY_STATE = prepared('senders_by_state', (queries) =>
  queries
    .selectFrom('channel_senders')
    .select(['channel', 'state', sql<number>`count(*)::int`.as('count')])
    .where('replacedAt', 'is', null)
    .groupBy(['channel', 'state']),
);
