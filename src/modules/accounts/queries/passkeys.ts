import type { Insertable } from 'kysely';
import { NOW, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** Finds a passkey of a member that has not left, whoever asks. */
export const PASSKEY = prepared(
  'passkey_by_credential',
  (queries, { credentialId }: { readonly credentialId: string }) =>
    queries
      .selectFrom('passkeys')
      .innerJoin('members', 'members.id', 'passkeys.memberId')
      .select(['passkeys.id', 'passkeys.clientId', 'passkeys.memberId', 'passkeys.publicKey', 'members.email'])
      .where('passkeys.credentialId', '=', credentialId)
      .where('members.leftAt', 'is', null),
);

/** By what a browser finds the passkeys of a member. */
export const CREDENTIALS_OF_MEMBER = prepared(
  'passkeys_of_member',
  (queries, { memberId }: { readonly memberId: string }) =>
    queries
      .selectFrom('passkeys')
      .select(['credentialId', 'transports'])
      .where('memberId', '=', memberId)
      .orderBy('createdAt')
      .orderBy('id'),
);

export const listPasskeys = (tx: Tx, memberId: string) =>
  queriesIn(tx)
    .selectFrom('passkeys')
    .select(['id', 'name', 'backedUp', 'createdAt', 'lastUsedAt'])
    .where('memberId', '=', memberId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();

type NewPasskey = Pick<
  Insertable<Tables['passkeys']>,
  'clientId' | 'memberId' | 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'deviceType' | 'backedUp' | 'name'
>;

/** Returns undefined when somebody, whoever it is, has this passkey already. */
export const insertPasskey = (tx: Tx, passkey: NewPasskey) =>
  queriesIn(tx)
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((row) => row.column('credentialId').doNothing())
    .returning(['id', 'name', 'backedUp', 'createdAt', 'lastUsedAt'])
    .executeTakeFirst();

/**
 * Stores that a passkey was used. Returns undefined when its counter did not go on: then there is a copy of the key. A
 * device that does not count says 0 for ever.
 */
export const usePasskey = (
  tx: Tx,
  id: string,
  { counter, backedUp }: { readonly counter: number; readonly backedUp: boolean },
) =>
  queriesIn(tx)
    .updateTable('passkeys')
    .set({ counter, backedUp, lastUsedAt: NOW })
    .where('id', '=', id)
    .where((row) => (counter === 0 ? row('counter', '=', 0) : row('counter', '<', counter)))
    .returning('id')
    .executeTakeFirst();

export const deletePasskey = (tx: Tx, memberId: string, id: string) =>
  queriesIn(tx)
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('memberId', '=', memberId)
    .returning('id')
    .executeTakeFirst();
