import { type DeleteResult, type RawBuilder, sql } from 'kysely';
import { KNOWN_SOURCE_DAYS, WRONG_PASSWORDS_COUNT_DAYS } from '../../../kernel/login-limits.ts';
import { REAL_PROVIDER_NAMES } from '../../../kernel/payment-providers.ts';
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
const hoursAgo = (hours: number) => sql<Date>`quita_now() - make_interval(hours => ${sql.lit(hours)})`;

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

type Moment = RawBuilder<Date>;

const purgeExpired = (
  table:
    | 'refresh_tokens'
    | 'password_resets'
    | 'email_confirmations'
    | 'email_changes'
    | 'invitations'
    | 'login_challenges'
    | 'passkey_challenges'
    | 'operator_sessions'
    | 'operator_invitations',
  before: Moment,
): Purge =>
  purge((tx) =>
    queriesIn(tx)
      .with(
        (cte) => cte('due').materialized(),
        (from) => from.selectFrom(table).select('id').where('expiresAt', '<', before).limit(ROWS_PER_PURGE),
      )
      .deleteFrom(table)
      .where('id', 'in', (from) => from.selectFrom('due').select('id')),
  );

const purgeCreated = (
  table:
    | 'attachments'
    | 'checkout_notices'
    | 'idempotency_keys'
    | 'phone_requests'
    | 'rights_files'
    | 'sent_texts'
    | 'unmatched_messages'
    | 'webhook_deliveries',
  before: Moment,
): Purge =>
  purge((tx) =>
    queriesIn(tx)
      .with(
        (cte) => cte('due').materialized(),
        (from) => from.selectFrom(table).select('id').where('createdAt', '<', before).limit(ROWS_PER_PURGE),
      )
      .deleteFrom(table)
      .where('id', 'in', (from) => from.selectFrom('due').select('id')),
  );

const purgeLogged = (table: 'audit_log' | 'operator_acts'): Purge =>
  purge((tx) =>
    queriesIn(tx)
      .with(
        (cte) => cte('due').materialized(),
        (from) => from.selectFrom(table).select('seq').where('at', '<', daysAgo(AUDIT_LOG_DAYS)).limit(ROWS_PER_PURGE),
      )
      .deleteFrom(table)
      .where('seq', 'in', (from) => from.selectFrom('due').select('seq')),
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
 * A replaced account for payments is kept while the provider may still make, settle or return a payment of its charges:
 * somebody has to ask the provider about them, and its notifications are signed with the secret of the account. One whose
 * payments are read is kept as long without charges, because a payment that no charge asked for may go back too. Senders
 * of channels are not meant: people answer what was sent to them long ago, and whoever wants silence has to be heard.
 */
const purgeReplacedAccounts = purge((tx) =>
  queriesIn(tx)
    .deleteFrom('client_credentials')
    .where('purpose', 'in', REAL_PROVIDER_NAMES)
    .where('replacedAt', '<', daysAgo(REPLACED_ACCOUNT_DAYS))
    .where(({ eb, or }) => or([eb('listAt', 'is', null), eb('replacedAt', '<', daysAgo(REFUNDABLE_DAYS))]))
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
 * Sessions come after their refresh tokens, and events after their deliveries. No purge locks its rows by `for update`,
 * because that would need a row security policy for updates, and a purge may only delete.
 */
export const PURGES: readonly Purge[] = [
  purgeExpired('refresh_tokens', NOW),
  purgeSessions,
  purgeExpired('password_resets', NOW),
  // What guards against guessing ends in real time.
  purgeExpired('login_challenges', REAL_NOW),
  purgeExpired('passkey_challenges', REAL_NOW),
  purgeExpired('email_confirmations', NOW),
  purgeExpired('email_changes', NOW),
  purgeExpired('invitations', daysAgo(EXPIRED_INVITATION_DAYS)),
  purgeNotifications,
  purgeCreated('checkout_notices', daysAgo(CHECKOUT_NOTICE_DAYS)),
  purgeCreated('idempotency_keys', hoursAgo(IDEMPOTENCY_KEY_HOURS)),
  purgeLogged('audit_log'),
  purgeRates,
  purgeBankCalls,
  purgeLockouts,
  purgeSources,
  purgeExpired('operator_sessions', REAL_NOW),
  purgeExpired('operator_invitations', REAL_NOW),
  purgeLogged('operator_acts'),
  purgeReplacedAccounts,
  purgePace,
  purgeCreated('webhook_deliveries', daysAgo(EVENT_DAYS)),
  purgeEvents,
  purgeCreated('attachments', daysAgo(ATTACHMENT_DAYS)),
  purgeCreated('rights_files', daysAgo(ATTACHMENT_DAYS)),
  purgeUndecidedPayments,
  purgeCreated('unmatched_messages', daysAgo(UNMATCHED_MESSAGE_DAYS)),
  purgeCreated('phone_requests', daysAgo(UNMATCHED_MESSAGE_DAYS)),
  purgeCreated('sent_texts', daysAgo(SENT_TEXT_DAYS)),
];
