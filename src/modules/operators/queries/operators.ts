import { type Insertable, sql } from 'kysely';
import { NOW, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import {
  IDLE_MINUTES,
  INVITATION_TRIES,
  LONGEST_HOURS,
  OPERATOR_INVITATION_DAYS,
  type OperatorAction,
} from '../rules/operator-limits.ts';
import type { ActDetails } from '../tables/operator-act.ts';

// What protects against guessing counts real time, whatever `CLOCK_OFFSET` is.
const REAL_NOW = sql<Date>`now()`;

export interface NewAct {
  readonly operatorId: string | null;
  readonly action: OperatorAction;
  readonly ip: string | null;
  readonly clientId?: string;
  readonly details?: ActDetails;
}

/** The entry is stored if and only if the transaction of `tx` commits. */
export const addAct = (tx: Tx, { operatorId, action, ip, ...rest }: NewAct) =>
  queriesIn(tx)
    .insertInto('operator_acts')
    .values({ operatorId, action, ip, clientId: rest.clientId ?? null, details: rest.details ?? null })
    .execute();

export const actsOnClient = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .selectFrom('operator_acts')
    .leftJoin('operators', 'operators.id', 'operator_acts.operatorId')
    .select(['operator_acts.at', 'operator_acts.action', 'operators.email as operator', 'operator_acts.details'])
    .where('operator_acts.clientId', '=', clientId)
    .orderBy('operator_acts.seq', 'desc')
    .limit(50)
    .execute();

export const insertInvitation = async (tx: Tx, invited: { readonly email: string; readonly tokenHash: string }) => {
  await queriesIn(tx).deleteFrom('operator_invitations').where('email', '=', invited.email).execute();
  await queriesIn(tx)
    .insertInto('operator_invitations')
    .values({ ...invited, expiresAt: sql<Date>`now() + make_interval(days => ${OPERATOR_INVITATION_DAYS})` })
    .execute();
};

export const openInvitations = (tx: Tx) =>
  queriesIn(tx)
    .selectFrom('operator_invitations')
    .select(['id', 'email', 'expiresAt'])
    .where('expiresAt', '>', REAL_NOW)
    .orderBy('email')
    .execute();

/** Locks the invitation, so that of two calls with one token the second finds what the first has done. */
export const lockInvitation = (tx: Tx, tokenHash: string) =>
  queriesIn(tx)
    .selectFrom('operator_invitations')
    .select(['id', 'email', 'sealed'])
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', REAL_NOW)
    .where('tries', '<', INVITATION_TRIES)
    .forUpdate()
    .executeTakeFirst();

export const storeInvitedSecret = (tx: Tx, id: string, sealed: string) =>
  queriesIn(tx).updateTable('operator_invitations').set({ sealed }).where('id', '=', id).execute();

export const countInvitationTry = (tx: Tx, id: string) =>
  queriesIn(tx)
    .updateTable('operator_invitations')
    .set((row) => ({ tries: sql<number>`${row.ref('tries')} + 1` }))
    .where('id', '=', id)
    .execute();

export const deleteInvitation = (tx: Tx, id: string) =>
  queriesIn(tx).deleteFrom('operator_invitations').where('id', '=', id).execute();

export const deleteInvitationOf = async (tx: Tx, email: string): Promise<boolean> =>
  (await queriesIn(tx).deleteFrom('operator_invitations').where('email', '=', email).returning('id').execute()).length >
  0;

export const insertOperator = (
  tx: Tx,
  operator: Pick<Insertable<Tables['operators']>, 'email' | 'passwordHash' | 'sealed' | 'lastStep'> & {
    readonly id: string;
  },
) => queriesIn(tx).insertInto('operators').values(operator).execute();

export const findOperator = (tx: Tx, email: string) =>
  queriesIn(tx)
    .selectFrom('operators')
    .select(['id', 'email', 'passwordHash', 'sealed', 'lastStep'])
    .where('email', '=', email)
    .where('removedAt', 'is', null)
    .executeTakeFirst();

export const hasOperator = async (tx: Tx, email: string): Promise<boolean> =>
  (await queriesIn(tx)
    .selectFrom('operators')
    .select('id')
    .where('email', '=', email)
    .where('removedAt', 'is', null)
    .executeTakeFirst()) !== undefined;

export const presentOperators = (tx: Tx) =>
  queriesIn(tx)
    .selectFrom('operators')
    .select(['id', 'email', 'createdAt', 'lastLoginAt'])
    .where('removedAt', 'is', null)
    .orderBy('email')
    .execute();

/** Uses the code of a step. Of two calls with the same code, the second finds that the step was used. */
export const useStepOfOperator = (tx: Tx, id: string, step: number) =>
  queriesIn(tx)
    .updateTable('operators')
    .set({ lastStep: step, lastLoginAt: NOW })
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .where('lastStep', '<', step)
    .returning('id')
    .executeTakeFirst();

/** Stores the same secret, sealed with the newest key. */
export const sealOperatorAgain = (tx: Tx, id: string, sealed: string) =>
  queriesIn(tx).updateTable('operators').set({ sealed }).where('id', '=', id).execute();

/** The row stays for the log. The sessions end. */
export async function removeOperatorOf(tx: Tx, email: string): Promise<string | undefined> {
  const removed = await queriesIn(tx)
    .updateTable('operators')
    .set({ removedAt: NOW })
    .where('email', '=', email)
    .where('removedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (removed === undefined) return undefined;
  await queriesIn(tx).deleteFrom('operator_sessions').where('operatorId', '=', removed.id).execute();
  return removed.id;
}

export const insertOperatorSession = (tx: Tx, session: { readonly operatorId: string; readonly cookieHash: string }) =>
  queriesIn(tx)
    .insertInto('operator_sessions')
    .values({
      ...session,
      expiresAt: sql<Date>`now() + make_interval(mins => ${IDLE_MINUTES})`,
      longestUntil: sql<Date>`now() + make_interval(hours => ${LONGEST_HOURS})`,
    })
    .execute();

/** Begins the idle time of an open session again. Returns undefined when there is none. */
export const useOperatorSession = (tx: Tx, cookieHash: string) =>
  queriesIn(tx)
    .updateTable('operator_sessions')
    .from('operators')
    .set({ expiresAt: sql<Date>`least(now() + make_interval(mins => ${IDLE_MINUTES}), longest_until)` })
    .whereRef('operators.id', '=', 'operator_sessions.operatorId')
    .where('operators.removedAt', 'is', null)
    .where('cookieHash', '=', cookieHash)
    .where('expiresAt', '>', REAL_NOW)
    .returning(['operators.id', 'operators.email'])
    .executeTakeFirst();

export const endOperatorSession = (tx: Tx, cookieHash: string) =>
  queriesIn(tx)
    .deleteFrom('operator_sessions')
    .where('cookieHash', '=', cookieHash)
    .returning('operatorId')
    .executeTakeFirst();
