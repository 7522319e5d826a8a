import { type Insertable, sql, type Updateable } from 'kysely';
import { NOW, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

type NewClient = Insertable<Tables['clients']>;
type ChangedClient = Updateable<Tables['clients']>;

const SUMMARY = ['id', 'name', 'email', 'plan', 'status', 'trialEndsAt'] as const;

const IS_CONFIRMED = sql<boolean>`email_confirmed_at is not null`;

const inDays = (days: number) => sql<Date>`quita_now() + make_interval(days => ${days})`;

export const ACCOUNT = prepared('read_account', (queries, { clientId }: { readonly clientId: string }) =>
  queries
    .selectFrom('clients')
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('api_keys')
          .select(['createdAt as keyCreatedAt', 'lastUsedAt as keyLastUsedAt'])
          .whereRef('clientId', '=', 'clients.id')
          .where('revokedAt', 'is', null)
          .as('key'),
      (join) => join.onTrue(),
    )
    .select([...SUMMARY, 'cnpj', 'segment', 'address', 'contactEmail', 'lawfulGround', 'collectsFor'])
    .select(['autoRefundExcess', 'requireSecondFactor'])
    .select(['keyCreatedAt', 'keyLastUsedAt'])
    .select([IS_CONFIRMED.as('emailConfirmed'), sql<boolean>`verified_at is not null`.as('verified')])
    .where('id', '=', clientId),
);

export type AccountRow = ReturnType<(typeof ACCOUNT)['rowsOf']>[number];

/** The address that mail for the client itself goes to. */
export const ADDRESSEE = prepared('account_mail_addressee', (queries, { clientId }: { readonly clientId: string }) =>
  queries
    .selectFrom('clients')
    .select(['email', IS_CONFIRMED.as('confirmed'), sql<boolean>`verified_at is not null`.as('verified')])
    .where('id', '=', clientId),
);

/** The name under which real debtors know the client: the verified one, also after a change that is not verified yet. */
export const NAME_OF_CLIENT = prepared('name_of_client', (queries, { clientId }: { readonly clientId: string }) =>
  queries
    .selectFrom('clients')
    .select((row) => row.fn.coalesce('verifiedName', 'name').as('name'))
    .where('id', '=', clientId),
);

export const RETENTION_OF_CLIENT = prepared(
  'retention_of_client',
  (queries, { clientId }: { readonly clientId: string }) =>
    queries.selectFrom('clients').select('retentionDays').where('id', '=', clientId),
);

export const setRetentionDays = (tx: Tx, clientId: string, retentionDays: number | null) =>
  queriesIn(tx).updateTable('clients').set({ retentionDays, updatedAt: NOW }).where('id', '=', clientId).execute();

export const ALL_CLIENTS = prepared('list_clients', (queries) =>
  queries.selectFrom('clients').select(['id', 'status', 'email', 'name']).orderBy('createdAt').orderBy('id'),
);

/** Of transactions that sign up where one company is served: the second sees what the first has written. */
const SIGN_UP_LOCK = 7_350_112;

/** Waits for the sign-ups that are under way, and returns whether there is a company already. */
export async function isSignUpClosed(tx: Tx): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${sql.lit(SIGN_UP_LOCK)})`.execute(queriesIn(tx));
  return (await queriesIn(tx).selectFrom('clients').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export const ANY_CLIENT = prepared('any_client', (queries) => queries.selectFrom('clients').select('id').limit(1));

/** Inserts a client that has signed up and has yet to confirm its address. */
export const insertUnconfirmedClient = (
  tx: Tx,
  {
    trialDays,
    confirmWithinDays,
    ...client
  }: Pick<NewClient, 'id' | 'name' | 'email' | 'plan' | 'cnpj' | 'segment'> & {
    readonly trialDays: number;
    readonly confirmWithinDays: number;
  },
) =>
  queriesIn(tx)
    .insertInto('clients')
    .values({
      ...client,
      status: 'ONBOARDING',
      trialEndsAt: inDays(trialDays),
      confirmEmailBy: inDays(confirmWithinDays),
    })
    .returning(SUMMARY)
    .executeTakeFirstOrThrow();

/** Inserts a client whose address an identity provider has confirmed. */
export const insertConfirmedClient = (
  tx: Tx,
  { trialDays, ...client }: Pick<NewClient, 'id' | 'name' | 'email' | 'plan'> & { readonly trialDays: number },
) =>
  queriesIn(tx)
    .insertInto('clients')
    .values({ ...client, status: 'ACTIVE', trialEndsAt: inDays(trialDays), emailConfirmedAt: NOW })
    .execute();

/**
 * Locks the client's row against other changes. Row locks of foreign keys do not wait for it. Returns undefined when
 * there is no such client.
 */
export const lockClient = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .selectFrom('clients')
    .select([...SUMMARY, 'cnpj', 'retentionDays', 'emailConfirmedAt', 'verifiedAt'])
    .where('id', '=', clientId)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Members that are undefined stay as they are. */
export const changeClient = (
  tx: Tx,
  clientId: string,
  change: Pick<
    ChangedClient,
    | 'name'
    | 'cnpj'
    | 'segment'
    | 'address'
    | 'contactEmail'
    | 'lawfulGround'
    | 'collectsFor'
    | 'autoRefundExcess'
    | 'requireSecondFactor'
  >,
) =>
  queriesIn(tx)
    .updateTable('clients')
    .set({ ...change, updatedAt: NOW })
    .where('id', '=', clientId)
    .returning('id')
    .executeTakeFirst();

export const collectsForOf = async (tx: Tx, clientId: string) =>
  (await queriesIn(tx).selectFrom('clients').select('collectsFor').where('id', '=', clientId).executeTakeFirstOrThrow())
    .collectsFor;

export const setStatus = (tx: Tx, clientId: string, status: NonNullable<ChangedClient['status']>) =>
  queriesIn(tx).updateTable('clients').set({ status, updatedAt: NOW }).where('id', '=', clientId).execute();

/**
 * Returns undefined when the address was confirmed before. A member proves its own address alone, which `email` then is:
 * only the address of the sign-up confirms the account.
 */
export const confirmEmailOf = (tx: Tx, clientId: string, email: string | null) =>
  queriesIn(tx)
    .updateTable('clients')
    .set({ emailConfirmedAt: NOW, confirmEmailBy: null, updatedAt: NOW })
    .where('id', '=', clientId)
    .where('emailConfirmedAt', 'is', null)
    .$if(email !== null, (client) => client.where('email', '=', email))
    .returning('id')
    .executeTakeFirst();

const SENDERS_OF_CLIENT = sql<string[]>`array(select distinct sender_name from campaigns
  where client_id = clients.id and sender_name is not null order by 1)`;

/** Stores the present name, CNPJ, address and senders as the verified ones. An earlier verification keeps its moment. */
export const setVerified = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .updateTable('clients')
    .set((row) => ({
      verifiedAt: sql<Date>`coalesce(verified_at, quita_now())`,
      verifiedName: row.ref('name'),
      verifiedCnpj: row.ref('cnpj'),
      verifiedAddress: row.ref('address'),
      verifiedSenders: SENDERS_OF_CLIENT,
      updatedAt: NOW,
    }))
    .where('id', '=', clientId)
    .returning(['name', 'address', 'collectsFor', SENDERS_OF_CLIENT.as('senders')])
    .executeTakeFirstOrThrow();

/** Does the same for the API, which may not write these columns: a routine checks that the transaction is an operator's. */
export async function setVerifiedByRoutine(tx: Tx, clientId: string) {
  await sql`select verify_client(${clientId}::uuid)`.execute(queriesIn(tx));
  return queriesIn(tx)
    .selectFrom('clients')
    .select(['name', 'address', 'collectsFor', SENDERS_OF_CLIENT.as('senders')])
    .where('id', '=', clientId)
    .executeTakeFirstOrThrow();
}
