import { sql } from 'kysely';
import { NOW, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { endChallenges } from './login-challenges.ts';

const inSeconds = (seconds: number) => sql<Date>`quita_now() + make_interval(secs => ${seconds})`;

/** Whose session it is. */
export interface SessionOwner {
  readonly clientId: string;
  readonly memberId: string;
}

/** From where a session is used, for its member to recognise it. */
export interface UsedFrom {
  readonly ip: string;
  /** What the browser or program says of itself. */
  readonly userAgent: string | null;
}

export interface NewSession extends SessionOwner {
  readonly from: UsedFrom;
}

export const usedFrom = ({ ip, userAgent }: UsedFrom) => ({ ip, userAgent });

export const insertSession = (
  tx: Tx,
  { seconds, from, ...session }: NewSession & { readonly id: string; readonly seconds: number },
) =>
  queriesIn(tx)
    .insertInto('sessions')
    .values({ ...session, ...usedFrom(from), expiresAt: inSeconds(seconds) })
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
export const prolongSession = (tx: Tx, sessionId: string, from: UsedFrom, seconds: number) =>
  queriesIn(tx)
    .updateTable('sessions')
    .set({ ...usedFrom(from), expiresAt: inSeconds(seconds), lastUsedAt: NOW })
    .where('id', '=', sessionId)
    .where('endedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();

/** Returns undefined when the session had ended or expired before, or belongs to another member. */
export const endSession = (tx: Tx, memberId: string, sessionId: string) =>
  queriesIn(tx)
    .updateTable('sessions')
    .set({ endedAt: NOW })
    .where('id', '=', sessionId)
    .where('memberId', '=', memberId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', NOW)
    .returning('id')
    .executeTakeFirst();

/**
 * Ends all sessions of a client or of one member, or all except one, and the logins that wait for a second factor. Their access tokens stop working on every instance from the commit
 * on. The sessions are locked in one order, so that two transactions that end the same ones do not deadlock.
 */
export async function endSessions(
  tx: Tx,
  {
    clientId,
    memberId,
    kept,
  }: { readonly clientId: string; readonly memberId?: string; readonly kept?: string | undefined },
): Promise<void> {
  await endChallenges(tx, { clientId, memberId });
  await queriesIn(tx)
    .updateTable('sessions')
    .set({ endedAt: NOW })
    .where('id', 'in', (from) =>
      from
        .selectFrom('sessions')
        .select('id')
        .where('clientId', '=', clientId)
        .where('endedAt', 'is', null)
        .$if(memberId !== undefined, (open) => open.where('memberId', '=', memberId!))
        .$if(kept !== undefined, (open) => open.where('id', '<>', kept!))
        .orderBy('id')
        .forUpdate(),
    )
    .execute();
}
