import { type Insertable, sql } from 'kysely';
import type { MemberRole } from '../../../kernel/member-rights.ts';
import { NOW, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { INVITATION_DAYS } from '../rules/token-lifetimes.ts';

const END = sql<Date>`quita_now() + make_interval(days => ${sql.lit(INVITATION_DAYS)})`;
const SHOWN = ['id', 'name', 'email', 'role', 'createdAt', 'expiresAt'] as const;

type NewInvitation = Pick<Insertable<Tables['invitations']>, 'id' | 'clientId' | 'email' | 'name' | 'role'>;

export const insertInvitation = (tx: Tx, invitation: NewInvitation) =>
  queriesIn(tx)
    .insertInto('invitations')
    .values({ ...invitation, expiresAt: END })
    .returning(SHOWN)
    .executeTakeFirstOrThrow();

export const findInvitation = (tx: Tx, clientId: string, id: string) =>
  queriesIn(tx)
    .selectFrom('invitations')
    .select(SHOWN)
    .where('clientId', '=', clientId)
    .where('id', '=', id)
    .executeTakeFirst();

/** An invitation that ended makes room for a new one to the same address. */
export const deleteEndedInvitation = (tx: Tx, clientId: string, email: string) =>
  queriesIn(tx)
    .deleteFrom('invitations')
    .where('clientId', '=', clientId)
    .where('email', '=', email)
    .where('expiresAt', '<=', NOW)
    .execute();

/** Begins the invitation again: the link that was mailed before is worth nothing from the commit on. */
export const renewInvitation = (tx: Tx, clientId: string, id: string) =>
  queriesIn(tx)
    .updateTable('invitations')
    .set({ tokenHash: null, expiresAt: END })
    .where('clientId', '=', clientId)
    .where('id', '=', id)
    .returning('email')
    .executeTakeFirst();

export const setInvitedRole = (tx: Tx, clientId: string, id: string, role: MemberRole) =>
  queriesIn(tx)
    .updateTable('invitations')
    .set({ role })
    .where('clientId', '=', clientId)
    .where('id', '=', id)
    .returning(SHOWN)
    .executeTakeFirst();

export const deleteInvitation = (tx: Tx, clientId: string, id: string) =>
  queriesIn(tx)
    .deleteFrom('invitations')
    .where('clientId', '=', clientId)
    .where('id', '=', id)
    .returning('role')
    .executeTakeFirst();

export const deleteInvitations = (tx: Tx, clientId: string) =>
  queriesIn(tx).deleteFrom('invitations').where('clientId', '=', clientId).execute();

/** An invitation whose link was sent again, taken back or used, or has ended, is not found. */
export const INVITATION_OF_TOKEN = prepared(
  'invitation_by_hash',
  (queries, { tokenHash }: { readonly tokenHash: string }) =>
    queries
      .selectFrom('invitations')
      .select(['id', 'clientId'])
      .where('tokenHash', '=', tokenHash)
      .where('expiresAt', '>', NOW),
);

/** Of many concurrent uses of a link, one finds the invitation. */
export const takeInvitation = (tx: Tx, id: string, tokenHash: string) =>
  queriesIn(tx)
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', NOW)
    .returning(['id', 'clientId', 'email', 'role'])
    .executeTakeFirst();

/** Stores the token of the mail that is being written, and returns whom the mail goes to. */
export const SET_INVITATION_TOKEN = prepared(
  'invitation_token',
  (queries, params: { readonly clientId: string; readonly id: string; readonly tokenHash: string }) =>
    queries
      .updateTable('invitations')
      .set({ tokenHash: params.tokenHash })
      .where('clientId', '=', params.clientId)
      .where('id', '=', params.id)
      .where('expiresAt', '>', NOW)
      .returning('email'),
);
