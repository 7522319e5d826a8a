import { sql } from 'kysely';
import { REAL_PROVIDER_NAMES, type RealProviderName } from '../../../kernel/payment-providers.ts';
import { prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { AccountKey } from '../../accounts/queries/client-credentials.ts';
import type { CredentialPurpose } from '../../accounts/tables/client-credential.ts';

interface AtProviders {
  readonly clientId: string;
  readonly providers: readonly RealProviderName[];
}

/** Finds the account at a payment provider that is connected now. */
export const CONNECTED_ACCOUNT = prepared(
  'client_credentials_connected',
  (queries, { clientId, providers }: AtProviders) =>
    queries
      .selectFrom('client_credentials')
      .select(['accountId', 'sealed'])
      .select((row) => row.ref('purpose').$castTo<RealProviderName>().as('provider'))
      .where('clientId', '=', clientId)
      .where('purpose', '=', sql<CredentialPurpose>`any(${providers}::text[])`)
      .where('replacedAt', 'is', null)
      .orderBy('updatedAt', 'desc')
      .limit(1),
);

/** Returns the id of an account that the client has had before. */
export const idOfAccount = async (tx: Tx, { clientId, purpose, accountId }: AccountKey): Promise<string | undefined> =>
  (
    await queriesIn(tx)
      .selectFrom('client_credentials')
      .select('id')
      .where('clientId', '=', clientId)
      .where('purpose', '=', purpose)
      .where('accountId', '=', accountId)
      .executeTakeFirst()
  )?.id;

/** Lists the client's accounts at payment providers, the newest first. */
export const paymentAccountsOf = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .selectFrom('client_credentials')
    .select(['id', 'accountId', 'profile', 'problem', 'certificateExpiresAt', 'replacedAt', 'createdAt'])
    .select((row) => row.ref('purpose').$castTo<RealProviderName>().as('provider'))
    .where('clientId', '=', clientId)
    .where('purpose', 'in', REAL_PROVIDER_NAMES)
    .orderBy(sql`replaced_at is not null`)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute();

/** Stores that the reconciliation asks the account nothing before `askFrom`, and why. */
export const PAUSE_ACCOUNT = prepared(
  'client_credentials_pause',
  (queries, params: AccountKey & { readonly askFrom: Date; readonly problem: string }) =>
    queries
      .updateTable('client_credentials')
      .set({ askFrom: params.askFrom, askFailures: sql<number>`ask_failures + 1`, problem: params.problem })
      .where('clientId', '=', params.clientId)
      .where('purpose', '=', params.purpose)
      .where('accountId', '=', params.accountId),
);

export const RESUME_ACCOUNT = prepared('client_credentials_resume', (queries, params: AccountKey) =>
  queries
    .updateTable('client_credentials')
    .set({ askFrom: null, askFailures: 0, problem: null })
    .where('clientId', '=', params.clientId)
    .where('purpose', '=', params.purpose)
    .where('accountId', '=', params.accountId),
);

/** Finds the accounts whose payments are to be read now, for all clients. */
export const DUE_ACCOUNTS = prepared(
  'client_credentials_due',
  (queries, { dueBy, limit }: { readonly dueBy: Date; readonly limit: number }) =>
    queries
      .selectFrom('client_credentials')
      .select(['id', 'clientId', 'accountId', 'askFailures', 'certificateExpiresAt', 'certificateWarnedDays'])
      .select((row) => row.ref('purpose').$castTo<RealProviderName>().as('provider'))
      .select((row) => row.ref('listedUntil').$notNull().as('listedUntil'))
      .select((row) => row.ref('listAt').$notNull().as('listAt'))
      .select(sql<boolean>`replaced_at is not null`.as('replaced'))
      .where('listAt', '<=', dueBy)
      .orderBy('listAt')
      .limit(limit),
);

interface Reading {
  readonly id: string;
  readonly leasedUntil: Date;
  readonly nextAt: Date;
}

/** Takes an account for one reading; returns no row when another run has it, or a notification came meanwhile. */
export const TAKE_ACCOUNT = prepared(
  'client_credentials_take',
  (queries, { id, seen, leasedUntil }: { readonly id: string; readonly seen: Date; readonly leasedUntil: Date }) =>
    queries
      .updateTable('client_credentials')
      .set({ listAt: leasedUntil })
      .where('id', '=', id)
      .where('listAt', '=', seen)
      .returning('id'),
);

/** A notification that came during the reading keeps its moment. */
const nextReading = ({ leasedUntil, nextAt }: Reading) =>
  sql<Date | null>`case when list_at = ${leasedUntil}::timestamptz then ${nextAt}::timestamptz else list_at end`;

export const STORE_READING = prepared(
  'client_credentials_read',
  (queries, params: Reading & { readonly until: Date; readonly problem: string | null }) =>
    queries
      .updateTable('client_credentials')
      .set({
        listedUntil: params.until,
        listAt: nextReading(params),
        problem: params.problem,
        askFailures: 0,
        askFrom: null,
      })
      .where('id', '=', params.id),
);

export const STORE_READING_FAILED = prepared(
  'client_credentials_read_failed',
  (queries, params: Reading & { readonly problem: string }) =>
    queries
      .updateTable('client_credentials')
      .set({ listAt: nextReading(params), problem: params.problem })
      .where('id', '=', params.id),
);

/** Stores that the client was told; returns no row when another run has told it. */
export const setCertificateWarned = async (
  tx: Tx,
  { id, days, before }: { readonly id: string; readonly days: number; readonly before: number | null },
): Promise<boolean> =>
  (
    await queriesIn(tx)
      .updateTable('client_credentials')
      .set({ certificateWarnedDays: days })
      .where('id', '=', id)
      .where('certificateWarnedDays', 'is not distinct from', before)
      .returning('id')
      .execute()
  ).length > 0;

interface AccountById {
  readonly clientId: string;
  readonly id: string;
}

/** Finds the connected account whose certificate a mail is about. */
export const ACCOUNT_WITH_CERTIFICATE = prepared('client_credentials_certificate', (queries, params: AccountById) =>
  queries
    .selectFrom('client_credentials')
    .select(['accountId', 'profile', 'certificateExpiresAt'])
    .where('clientId', '=', params.clientId)
    .where('id', '=', params.id)
    .where('replacedAt', 'is', null),
);

/** How the connected accounts at payment providers are, over all clients. */
export const ACCOUNTS_BY_STATE = prepared('client_credentials_by_state', (queries) =>
  queries
    .selectFrom('client_credentials')
    .select((row) => row.ref('purpose').$castTo<RealProviderName>().as('provider'))
    .select(sql<'ready' | 'failing'>`case when problem is null then 'ready' else 'failing' end`.as('state'))
    .select(sql<number>`count(*)::int`.as('count'))
    .select(
      sql<number | null>`extract(epoch from min(certificate_expires_at) - quita_now())::float8`.as(
        'certificateSeconds',
      ),
    )
    .where('purpose', 'in', REAL_PROVIDER_NAMES)
    .where('replacedAt', 'is', null)
    .groupBy(['purpose', 'state']),
);
