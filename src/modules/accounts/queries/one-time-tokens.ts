import { sql } from 'kysely';
import { NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** The statements about links that are mailed to a client and work once. Only the hash of a link's token is stored. */
const oneTimeTokens = (table: 'email_confirmations' | 'password_resets', name: string) => ({
  /** A link that was used or has expired is not found. */
  OF_TOKEN: prepared(`${name}_by_hash`, (queries, { tokenHash }: { readonly tokenHash: string }) =>
    queries
      .selectFrom(table)
      .select(['id', 'clientId'])
      .where('tokenHash', '=', tokenHash)
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', NOW),
  ),

  INSERT: prepared(
    `${name}_insert`,
    (queries, params: { readonly clientId: string; readonly tokenHash: string; readonly minutes: number }) =>
      queries.insertInto(table).values({
        clientId: params.clientId,
        tokenHash: params.tokenHash,
        expiresAt: sql<Date>`quita_now() + make_interval(mins => ${params.minutes})`,
      }),
  ),

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

  /** Invalidates all links that were mailed to the client. */
  useAll: (tx: Tx, clientId: string) =>
    queriesIn(tx)
      .updateTable(table)
      .set({ usedAt: NOW })
      .where('clientId', '=', clientId)
      .where('usedAt', 'is', null)
      .execute(),
});

export const EMAIL_CONFIRMATIONS = oneTimeTokens('email_confirmations', 'email_confirmation');
export const PASSWORD_RESETS = oneTimeTokens('password_resets', 'password_reset');
