import { sql } from 'kysely';
import { NOW, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

const inSeconds = (seconds: number) => sql<Date>`quita_now() + make_interval(secs => ${seconds})`;

export const insertSession = (
  tx: Tx,
  { id, clientId, seconds }: { readonly id: string; readonly clientId: string; readonly seconds: number },
) =>
  queriesIn(tx)
    .insertInto('sessions')
    .values({ id, clientId, expiresAt: inSeconds(seconds) })
    .execute();

/** Returns undefined when the session has ended. */
export const findOpenSession = (tx: Tx, sessionId: string) =>
  queriesIn(tx)
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('endedAt', 'is', null)
    .executeTakeFirst();

/** Returns undefined when the session has ended. */
export const prolongSession = (tx: Tx, sessionId: string, seconds: number) =>
  queriesIn(tx)
    .updateTable('sessions')
    .set({ expiresAt: inSeconds(seconds), lastUsedAt: NOW })
    .where('id', '=', sessionId)
    .where('endedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();

/** Returns undefined when the session had ended or expired before. */
export const endSession = (tx: Tx, sessionId: string) =>
  queriesIn(tx)
    .updateTable('sessions')
    .set({ endedAt: NOW })
    .where('id', '=', sessionId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', NOW)
    .returning('id')
    .executeTakeFirst();

/**
 * Ends all sessions of a client, or all except one. Their access tokens stop working on every instance from the commit
 * on. The sessions are locked in one order, so that two transactions that end the same ones do not deadlock.
 */
export const endSessions = (tx: Tx, clientId: string, kept: string | null = null) =>
  queriesIn(tx)
    .updateTable('sessions')
    .set({ endedAt: NOW })
    .where('id', 'in', (from) =>
      from
        .selectFrom('sessions')
        .select('id')
        .where('clientId', '=', clientId)
        .where('endedAt', 'is', null)
        .$if(kept !== null, (open) => open.where('id', '<>', kept))
        .orderBy('id')
        .forUpdate(),
    )
    .execute();
