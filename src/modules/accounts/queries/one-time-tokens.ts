import { sql } from 'kysely';
import { NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

const inMinutes = (minutes: number) => sql<Date>`quita_now() + make_interval(mins => ${minutes})`;

/** The statements about links that are mailed and work once. Only the hash of a link's token is stored. */
const oneTimeTokens = (table: 'email_confirmations' | 'password_resets') => ({
  /** Returns undefined when the link was used or has expired. */
  use: (tx: Tx, id: string) =>
    queriesIn(tx)
      .updateTable(table)
      .set({ usedAt: NOW })
      .where('id', '=', id)
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', NOW)
      .returning('id')
      .executeTakeFirst(),
});

interface NewLink {
  readonly clientId: string;
  readonly tokenHash: string;
  readonly minutes: number;
}

export const EMAIL_CONFIRMATIONS = {
  ...oneTimeTokens('email_confirmations'),

  /** A link that was used or has expired is not found. */
  OF_TOKEN: prepared('email_confirmation_by_hash', (queries, { tokenHash }: { readonly tokenHash: string }) =>
    queries
      .selectFrom('email_confirmations')
      .select(['id', 'clientId'])
      .where('tokenHash', '=', tokenHash)
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', NOW),
  ),

  INSERT: prepared('email_confirmation_insert', (queries, { clientId, tokenHash, minutes }: NewLink) =>
    queries.insertInto('email_confirmations').values({ clientId, tokenHash, expiresAt: inMinutes(minutes) }),
  ),

  /** Invalidates all links that were mailed to the client. */
  useAll: (tx: Tx, clientId: string) =>
    queriesIn(tx)
      .updateTable('email_confirmations')
      .set({ usedAt: NOW })
      .where('clientId', '=', clientId)
      .where('usedAt', 'is', null)
      .execute(),
};

export const PASSWORD_RESETS = {
  ...oneTimeTokens('password_resets'),

  /** Finds whose password a link sets. A link that was used or has expired is not found. */
  MEMBER_OF_TOKEN: prepared('password_reset_member', (queries, { tokenHash }: { readonly tokenHash: string }) =>
    queries
      .selectFrom('password_resets')
      .select(['id', 'clientId', 'memberId'])
      .where('tokenHash', '=', tokenHash)
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', NOW),
  ),

  INSERT: prepared(
    'password_reset_insert',
    (queries, { clientId, memberId, tokenHash, minutes }: NewLink & { readonly memberId: string }) =>
      queries.insertInto('password_resets').values({ clientId, memberId, tokenHash, expiresAt: inMinutes(minutes) }),
  ),

  /** Invalidates all links that were mailed to the member. */
  useAll: (tx: Tx, memberId: string) =>
    queriesIn(tx)
      .updateTable('password_resets')
      .set({ usedAt: NOW })
      .where('memberId', '=', memberId)
      .where('usedAt', 'is', null)
      .execute(),
};
