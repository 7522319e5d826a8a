import { sql } from 'kysely';
import { REAL_CHANNELS, type RealChannel } from '../../../kernel/messaging-channels.ts';
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

/** Finds the account that is connected now. */
export const CONNECTED_ACCOUNT = prepared('client_credentials_connected', (queries, params: CredentialKey) =>
  queries
    .selectFrom('client_credentials')
    .select(['accountId', 'sealed'])
    .where('clientId', '=', params.clientId)
    .where('purpose', '=', params.purpose)
    .where('replacedAt', 'is', null),
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

/** Stores that the reconciliation asks the account nothing before `askFrom`. */
export const PAUSE_ACCOUNT = prepared(
  'client_credentials_pause',
  (queries, params: AccountKey & { readonly askFrom: Date }) =>
    queries
      .updateTable('client_credentials')
      .set({ askFrom: params.askFrom, askFailures: sql<number>`ask_failures + 1` })
      .where('clientId', '=', params.clientId)
      .where('purpose', '=', params.purpose)
      .where('accountId', '=', params.accountId),
);

export const RESUME_ACCOUNT = prepared('client_credentials_resume', (queries, params: AccountKey) =>
  queries
    .updateTable('client_credentials')
    .set({ askFrom: null, askFailures: 0 })
    .where('clientId', '=', params.clientId)
    .where('purpose', '=', params.purpose)
    .where('accountId', '=', params.accountId),
);

/**
 * Connects the account in place of any other, and returns the account that it replaces. The caller holds the client's
 * lock, so that two accounts that are connected at once follow each other.
 */
export async function connectAccount(
  tx: Tx,
  { clientId, purpose, accountId, sealed }: AccountKey & { readonly sealed: string },
): Promise<string | null> {
  const replaced = await queriesIn(tx)
    .updateTable('client_credentials')
    .set({ replacedAt: NOW, updatedAt: NOW })
    .where('clientId', '=', clientId)
    .where('purpose', '=', purpose)
    .where('replacedAt', 'is', null)
    .where('accountId', '<>', accountId)
    .returning('accountId')
    .executeTakeFirst();
  await queriesIn(tx)
    .insertInto('client_credentials')
    .values({ clientId, purpose, accountId, sealed })
    .onConflict((conflict) =>
      conflict
        .constraint('client_credentials_account')
        .doUpdateSet({ sealed, replacedAt: null, askFrom: null, askFailures: 0, updatedAt: NOW }),
    )
    .execute();
  return replaced?.accountId ?? null;
}

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
