import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { REAL_CHANNELS, type RealChannel } from '../../../kernel/messaging-channels.ts';
import { REAL_PROVIDER_NAMES, type RealProviderName } from '../../../kernel/payment-providers.ts';
import { NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { CredentialPurpose } from '../tables/client-credential.ts';

interface CredentialKey {
  readonly clientId: string;
  readonly purpose: CredentialPurpose;
}

interface AccountKey extends CredentialKey {
  readonly accountId: string;
}

interface PaymentPurposes {
  readonly clientId: string;
  readonly purposes: readonly RealProviderName[];
}

/** Finds the account at a payment provider that is connected now. */
export const CONNECTED_ACCOUNT = prepared(
  'client_credentials_connected',
  (queries, { clientId, purposes }: PaymentPurposes) =>
    queries
      .selectFrom('client_credentials')
      .select(['accountId', 'sealed'])
      .select((row) => row.ref('purpose').$castTo<RealProviderName>().as('provider'))
      .where('clientId', '=', clientId)
      .where('purpose', '=', sql<CredentialPurpose>`any(${purposes}::text[])`)
      .where('replacedAt', 'is', null)
      .orderBy('updatedAt', 'desc')
      .limit(1),
);

/** Finds an account that is connected or was connected, as long as it is kept. */
export const KEPT_ACCOUNT = prepared('client_credentials_kept', (queries, params: AccountKey) =>
  queries
    .selectFrom('client_credentials')
    .select(['accountId', 'sealed'])
    .where('clientId', '=', params.clientId)
    .where('purpose', '=', params.purpose)
    .where('accountId', '=', params.accountId),
);

/** Finds all accounts that are kept, the connected one first. */
export const KEPT_ACCOUNTS = prepared('client_credentials_all_kept', (queries, params: CredentialKey) =>
  queries
    .selectFrom('client_credentials')
    .select(['accountId', 'sealed', 'replacedAt'])
    .where('clientId', '=', params.clientId)
    .where('purpose', '=', params.purpose)
    .orderBy('replacedAt', (order) => order.desc().nullsFirst()),
);

type Resealing = CredentialKey & { readonly sealed: string; readonly resealed: string };

/** Replaces only the value that was read, because credentials that were stored meanwhile are newer. */
const resealIn = (queries: ReturnType<typeof queriesIn>, { clientId, purpose, sealed, resealed }: Resealing) =>
  queries
    .updateTable('client_credentials')
    .set({ sealed: resealed })
    .where('clientId', '=', clientId)
    .where('purpose', '=', purpose)
    .where('sealed', '=', sealed);

export const RESEAL_CREDENTIALS = prepared('client_credentials_reseal', resealIn);

/** Does the same in the caller's transaction. */
export const reseal = (tx: Tx, params: Resealing) => resealIn(queriesIn(tx), params).execute();

/** Finds the senders that are connected now, on all channels. */
export const connectedChannels = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .selectFrom('client_credentials')
    .select(['accountId', 'sealed'])
    .select((row) => row.ref('purpose').$castTo<RealChannel>().as('channel'))
    .where('clientId', '=', clientId)
    .where('purpose', 'in', REAL_CHANNELS)
    .where('replacedAt', 'is', null)
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

export interface NewAccount extends AccountKey {
  readonly sealed: string;
  readonly id?: string;
  readonly profile?: string | null;
  readonly certificateExpiresAt?: Date | null;
  /** When the payments that came to the account are read first; null for an account of which they are not read. */
  readonly listAt?: Date | null;
}

/**
 * Connects the account in place of any other of `insteadOf`, and returns the one that it replaces. The caller holds the
 * client's lock, so that two accounts that are connected at once follow each other.
 */
export async function connectAccount(
  tx: Tx,
  { clientId, purpose, accountId, sealed, id = randomUUID(), ...more }: NewAccount,
  insteadOf: readonly CredentialPurpose[],
): Promise<{ readonly purpose: CredentialPurpose; readonly accountId: string } | null> {
  const { profile = null, certificateExpiresAt = null, listAt = null } = more;
  const replaced = await queriesIn(tx)
    .updateTable('client_credentials')
    .set({ replacedAt: NOW, updatedAt: NOW })
    .where('clientId', '=', clientId)
    .where('purpose', 'in', insteadOf)
    .where('replacedAt', 'is', null)
    .where(({ not, and, eb }) => not(and([eb('purpose', '=', purpose), eb('accountId', '=', accountId)])))
    .returning(['purpose', 'accountId'])
    .executeTakeFirst();
  await queriesIn(tx)
    .insertInto('client_credentials')
    .values({ id, clientId, purpose, accountId, sealed, profile, certificateExpiresAt, listAt, listedUntil: listAt })
    .onConflict((conflict) =>
      conflict.constraint('client_credentials_account').doUpdateSet({
        sealed,
        profile,
        certificateExpiresAt,
        certificateWarnedDays: null,
        problem: null,
        // What came while the account was replaced is read as well.
        listAt,
        replacedAt: null,
        askFrom: null,
        askFailures: 0,
        updatedAt: NOW,
      }),
    )
    .execute();
  return replaced ?? null;
}

/** Ends the connection of what is connected for the purpose; returns false when nothing is. Credentials are kept. */
export async function disconnectAccount(tx: Tx, { clientId, purpose }: CredentialKey): Promise<boolean> {
  const ended = await queriesIn(tx)
    .updateTable('client_credentials')
    .set({ replacedAt: NOW, updatedAt: NOW })
    .where('clientId', '=', clientId)
    .where('purpose', '=', purpose)
    .where('replacedAt', 'is', null)
    .returning('accountId')
    .execute();
  return ended.length > 0;
}

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
export const paymentAccountsOf = (tx: Tx, { clientId, purposes }: PaymentPurposes) =>
  queriesIn(tx)
    .selectFrom('client_credentials')
    .select(['id', 'accountId', 'profile', 'problem', 'certificateExpiresAt', 'replacedAt', 'createdAt'])
    .select((row) => row.ref('purpose').$castTo<RealProviderName>().as('provider'))
    .where('clientId', '=', clientId)
    .where('purpose', 'in', purposes)
    .orderBy(sql`replaced_at is not null`)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute();

/** Locks the client's row; returns false when there is no such client. */
export async function lockClient(tx: Tx, clientId: string): Promise<boolean> {
  const client = await queriesIn(tx)
    .selectFrom('clients')
    .select('id')
    .where('id', '=', clientId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return client !== undefined;
}
