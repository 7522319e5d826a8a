import { randomUUID } from 'node:crypto';
import { REAL_CHANNELS, type RealChannel } from '../../../kernel/messaging-channels.ts';
import { NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { CredentialPurpose } from '../tables/client-credential.ts';

interface CredentialKey {
  readonly clientId: string;
  readonly purpose: CredentialPurpose;
}

export interface AccountKey extends CredentialKey {
  readonly accountId: string;
}

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

/** Deletes the credentials of everything that the client has connected or had connected. */
export const deleteCredentials = (tx: Tx, clientId: string) =>
  queriesIn(tx).deleteFrom('client_credentials').where('clientId', '=', clientId).execute();

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
