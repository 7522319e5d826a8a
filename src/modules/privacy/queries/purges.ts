import { type DeleteResult, sql } from 'kysely';
import { KNOWN_SOURCE_DAYS, WRONG_PASSWORDS_COUNT_DAYS } from '../../../kernel/login-limits.ts';
import {
  ATTACHMENT_DAYS,
  AUDIT_LOG_DAYS,
  CHECKOUT_NOTICE_DAYS,
  EVENT_DAYS,
  EXPIRED_INVITATION_DAYS,
  IDEMPOTENCY_KEY_HOURS,
  PAYMENT_NOTIFICATION_DAYS,
  REFUNDABLE_DAYS,
  REPLACED_ACCOUNT_DAYS,
  SENT_TEXT_DAYS,
  UNMATCHED_MESSAGE_DAYS,
  UNMATCHED_PAYMENT_DAYS,
} from '../../../kernel/retention-periods.ts';
import { NOW, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** The number is small, so that no other transaction waits long for a row that a purge deletes. */
export const ROWS_PER_PURGE = 5_000;

const daysAgo = (days: number) => sql<Date>`quita_now() - make_interval(days => ${sql.lit(days)})`;

/** Lockouts and rates protect against guessing, and banks count by their own clocks: real time, whatever `CLOCK_OFFSET` is. */
const REAL_NOW = sql<Date>`now()`;
const realDaysAgo = (days: number) => sql<Date>`now() - make_interval(days => ${sql.lit(days)})`;

/**
 * Deletes rows and returns their number. A purge of a large table deletes at most `ROWS_PER_PURGE` at once. The rows are
 * picked by a materialized expression: a subselect may be computed again for each row that it is compared with, and one
 * with a limit may then pick other rows each time.
 */
type Purge = (tx: Tx) => Promise<number>;

const purge =
  (statement: (tx: Tx) => { executeTakeFirstOrThrow(): Promise<DeleteResult> }): Purge =>
  async (tx) =>
    Number((await statement(tx).executeTakeFirstOrThrow()).numDeletedRows);

const purgeExpired = (table: 'refresh_tokens' | 'password_resets' | 'email_confirmations' | 'email_changes'): Purge =>
  purge((tx) =>
    queriesIn(tx)
      .with(
        (cte) => cte('due').materialized(),
        (from) => from.selectFrom(table).select('id').where('expiresAt', '<', NOW).limit(ROWS_PER_PURGE),
      )
      .deleteFrom(table)
      .where('id', 'in', (from) => from.selectFrom('due').select('id')),
  );

/** What guards against guessing ends in real time. */
const purgeEnded = (
  table: 'login_challenges' | 'passkey_challenges' | 'operator_sessions' | 'operator_invitations',
): Purge =>
  purge((tx) =>
    queriesIn(tx)
      .with(
        (cte) => cte('due').materialized(),
        (from) => from.selectFrom(table).select('id').where('expiresAt', '<', REAL_NOW).limit(ROWS_PER_PURGE),
      )
      .deleteFrom(table)
      .where('id', 'in', (from) => from.selectFrom('due').select('id')),
  );

const purgeInvitations = purge((tx) =>
  queriesIn(tx)
    .with(
      (cte) => cte('due').materialized(),
      (from) =>
        from
          .selectFrom('invitations')
          .select('id')
          .where('expiresAt', '<', daysAgo(EXPIRED_INVITATION_DAYS))
          .limit(ROWS_PER_PURGE),
    )
    .deleteFrom('invitations')
    .where('id', 'in', (from) => from.selectFrom('due').select('id')),
);

const purgeSessions = purge((tx) =>
  queriesIn(tx)
    .with(
      (cte) => cte('due').materialized(),
      (from) =>
        from
          .selectFrom('sessions')
          .select('id')
          .where('expiresAt', '<', NOW)
          .where(({ exists, not, selectFrom }) => {
            const tokens = selectFrom('refresh_tokens').select('id').whereRef('sessionId', '=', 'sessions.id');
            return not(exists(tokens));
          })
          .limit(ROWS_PER_PURGE),
    )
    .deleteFrom('sessions')
    .where('id', 'in', (from) => from.selectFrom('due').select('id')),
);

const purgeNotifications = purge((tx) =>
  queriesIn(tx)
    .with(
      (cte) => cte('due').materialized(),
      (from) =>
        from
          .selectFrom('payment_notifications')
          .select('seq')
          .where('handledAt', '<', daysAgo(PAYMENT_NOTIFICATION_DAYS))
          .limit(ROWS_PER_PURGE),
    )
    .deleteFrom('payment_notifications')
    .where('seq', 'in', (from) => from.selectFrom('due').select('seq')),
);

const purgeNotices = purge((tx) =>
  queriesIn(tx)
    .with(
      (cte) => cte('due').materialized(),
      (from) =>
        from
          .selectFrom('checkout_notices')
          .select('id')
          .where('createdAt', '<', daysAgo(CHECKOUT_NOTICE_DAYS))
          .limit(ROWS_PER_PURGE),
    )
    .deleteFrom('checkout_notices')
    .where('id', 'in', (from) => from.selectFrom('due').select('id')),
);

const purgeIdempotencyKeys = purge((tx) =>
  queriesIn(tx)
    .with(
      (cte) => cte('due').materialized(),
      (from) =>
        from
          .selectFrom('idempotency_keys')
          .select('id')
          .where('createdAt', '<', sql<Date>`quita_now() - make_interval(hours => ${sql.lit(IDEMPOTENCY_KEY_HOURS)})`)
          .limit(ROWS_PER_PURGE),
    )
    .deleteFrom('idempotency_keys')
    .where('id', 'in', (from) => from.selectFrom('due').select('id')),
);

const purgeAudit = purge((tx) =>
  queriesIn(tx)
    .with(
      (cte) => cte('due').materialized(),
      (from) =>
        from.selectFrom('audit_log').select('seq').where('at', '<', daysAgo(AUDIT_LOG_DAYS)).limit(ROWS_PER_PURGE),
    )
    .deleteFrom('audit_log')
    .where('seq', 'in', (from) => from.selectFrom('due').select('seq')),
);

const purgeOperatorActs = purge((tx) =>
  queriesIn(tx)
    .with(
      (cte) => cte('due').materialized(),
      (from) =>
        from.selectFrom('operator_acts').select('seq').where('at', '<', daysAgo(AUDIT_LOG_DAYS)).limit(ROWS_PER_PURGE),
    )
    .deleteFrom('operator_acts')
    .where('seq', 'in', (from) => from.selectFrom('due').select('seq')),
);

const purgeRates = purge((tx) =>
  queriesIn(tx).deleteFrom('rate_limits').where('expire', '<', sql<number>`(extract(epoch from now()) * 1000)::bigint`),
);

const purgeBankCalls = purge((tx) =>
  queriesIn(tx).deleteFrom('bank_calls').where(sql<Date>`made_at[cardinality(made_at)]`, '<', realDaysAgo(1)),
);

/**
 * Ended locks are deleted after a day, and failures that no correct password followed when they count no more.
 */
const purgeLockouts = purge((tx) =>
  queriesIn(tx)
    .deleteFrom('login_lockouts')
    .where(({ and, eb, or }) =>
      or([
        and([eb('updatedAt', '<', realDaysAgo(1)), or([eb('failed', '=', 0), eb('lockedUntil', '<', REAL_NOW)])]),
        eb('updatedAt', '<', realDaysAgo(WRONG_PASSWORDS_COUNT_DAYS)),
      ]),
    ),
);

const purgeSources = purge((tx) =>
  queriesIn(tx)
    .with(
      (cte) => cte('due').materialized(),
      (from) =>
        from
          .selectFrom('login_sources')
          .select(['emailHash', 'sourceHash'])
          .where('lastLoginAt', '<', realDaysAgo(KNOWN_SOURCE_DAYS))
          .limit(ROWS_PER_PURGE),
    )
    .deleteFrom('login_sources')
    .using('due')
    .whereRef('login_sources.emailHash', '=', 'due.emailHash')
    .whereRef('login_sources.sourceHash', '=', 'due.sourceHash'),
);

/** Who paid is not known, and nobody has said which debt it is for. */
const purgeUndecidedPayments = purge((tx) =>
  queriesIn(tx)
    .deleteFrom('received_payments')
    .where('state', 'in', ['unmatched', 'ambiguous'])
    .where('createdAt', '<', daysAgo(UNMATCHED_PAYMENT_DAYS)),
);

const purgeCreated = (
  table: 'attachments' | 'phone_requests' | 'rights_files' | 'sent_texts' | 'unmatched_messages',
  days: number,
): Purge =>
  purge((tx) =>
    queriesIn(tx)
      .with(
        (cte) => cte('due').materialized(),
        (from) => from.selectFrom(table).select('id').where('createdAt', '<', daysAgo(days)).limit(ROWS_PER_PURGE),
      )
      .deleteFrom(table)
      .where('id', 'in', (from) => from.selectFrom('due').select('id')),
  );

/** Deliveries come before their events. */
const purgeDeliveries = purge((tx) =>
  queriesIn(tx)
    .with(
      (cte) => cte('due').materialized(),
      (from) =>
        from
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('createdAt', '<', daysAgo(EVENT_DAYS))
          .limit(ROWS_PER_PURGE),
    )
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', (from) => from.selectFrom('due').select('id')),
);

/**
 * Looks at the oldest events only, between two numbers. With the age alone, or with an order and a limit, PostgreSQL would
 * read the whole table in each hour in which nothing has expired: it expects that row security leaves few rows. There may
 * be gaps between the numbers, so that fewer rows are deleted although more have expired.
 */
const purgeEvents: Purge = async (tx) => {
  const { first } = await queriesIn(tx)
    .selectFrom('events')
    .select(({ fn }) => fn.min('seq').as('first'))
    .executeTakeFirstOrThrow();
  if (first === null) return 0;
  const { numDeletedRows } = await queriesIn(tx)
    .deleteFrom('events')
    .where('seq', '>=', first)
    .where('seq', '<', sql<number>`${first}::bigint + ${sql.lit(ROWS_PER_PURGE)}`)
    .where('createdAt', '<', daysAgo(EVENT_DAYS))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};

const purgePace = purge((tx) => queriesIn(tx).deleteFrom('contact_pace').where('freeFrom', '<', daysAgo(1)));

/**
 * A replaced account is kept while the provider may still make, settle or return a payment of its charges: somebody has
 * to ask the provider about them, and its notifications are signed with the secret of the account.
 */
const purgeReplacedAccounts = purge((tx) =>
  queriesIn(tx)
    .deleteFrom('client_credentials')
    .where('replacedAt', '<', daysAgo(REPLACED_ACCOUNT_DAYS))
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('charges')
            .select('charges.id')
            .whereRef('charges.clientId', '=', 'client_credentials.clientId')
            .whereRef('charges.accountId', '=', 'client_credentials.accountId')
            .where(({ and, eb, or }) =>
              or([
                eb('charges.askAt', 'is not', null),
                eb('charges.paidAt', '>', daysAgo(REFUNDABLE_DAYS)),
                and([eb('charges.providerPaymentId', 'is', null), eb('charges.expiresAt', '>', NOW)]),
              ]),
            ),
        ),
      ),
    ),
);

/**
 * Sessions come after their refresh tokens. No purge locks its rows by `for update`, because that would need a row
 * security policy for updates, and a purge may only delete.
 */
export const PURGES: readonly Purge[] = [
  purgeExpired('refresh_tokens'),
  purgeSessions,
  purgeExpired('password_resets'),
  purgeEnded('login_challenges'),
  purgeEnded('passkey_challenges'),
  purgeExpired('email_confirmations'),
  purgeExpired('email_changes'),
  purgeInvitations,
  purgeNotifications,
  purgeNotices,
  purgeIdempotencyKeys,
  purgeAudit,
  purgeRates,
  purgeBankCalls,
  purgeLockouts,
  purgeSources,
  purgeEnded('operator_sessions'),
  purgeEnded('operator_invitations'),
  purgeOperatorActs,
  purgeReplacedAccounts,
  purgePace,
  purgeDeliveries,
  purgeEvents,
  purgeCreated('attachments', ATTACHMENT_DAYS),
  purgeCreated('rights_files', ATTACHMENT_DAYS),
  purgeUndecidedPayments,
  purgeCreated('unmatched_messages', UNMATCHED_MESSAGE_DAYS),
  purgeCreated('phone_requests', UNMATCHED_MESSAGE_DAYS),
  purgeCreated('sent_texts', SENT_TEXT_DAYS),
];
