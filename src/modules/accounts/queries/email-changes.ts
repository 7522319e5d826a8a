import { type Insertable, sql } from 'kysely';
import { NOW, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { EMAIL_CHANGE_HOURS } from '../rules/token-lifetimes.ts';

/** Which of the two addresses a mail goes to. */
export type Side = 'present' | 'new';

type NewChange = Pick<
  Insertable<Tables['email_changes']>,
  'clientId' | 'memberId' | 'ofCompany' | 'presentEmail' | 'newEmail'
>;

/** A later wish takes the place of an earlier one, whose links are then worth nothing. */
export async function insertEmailChange(tx: Tx, change: NewChange): Promise<string> {
  const { clientId, memberId, ofCompany } = change;
  await deleteEmailChanges(tx, { clientId, ...(ofCompany ? { ofCompany } : { memberId, ofCompany }) });
  const { id } = await queriesIn(tx)
    .insertInto('email_changes')
    .values({ ...change, expiresAt: sql<Date>`quita_now() + make_interval(hours => ${sql.lit(EMAIL_CHANGE_HOURS)})` })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

interface Whose {
  readonly clientId: string;
  readonly memberId?: string;
  readonly ofCompany?: boolean;
}

export const deleteEmailChanges = (tx: Tx, { clientId, memberId, ofCompany }: Whose) =>
  queriesIn(tx)
    .deleteFrom('email_changes')
    .where('clientId', '=', clientId)
    .$if(memberId !== undefined, (rows) => rows.where('memberId', '=', memberId as string))
    .$if(ofCompany !== undefined, (rows) => rows.where('ofCompany', '=', ofCompany as boolean))
    .execute();

export const EMAIL_CHANGE_OF_TOKEN = prepared(
  'email_change_by_hash',
  (queries, { tokenHash }: { readonly tokenHash: string }) =>
    queries
      .selectFrom('email_changes')
      .select(['id', 'clientId'])
      .where((row) => row.or([row('presentTokenHash', '=', tokenHash), row('newTokenHash', '=', tokenHash)]))
      .where('expiresAt', '>', NOW),
);

/** Marks the address to which the token was mailed. Under the lock of the client's row; undefined when it has ended. */
export const confirmOneSide = (tx: Tx, id: string, tokenHash: string) =>
  queriesIn(tx)
    .updateTable('email_changes')
    .set({
      presentConfirmedAt: sql<Date>`case when present_token_hash = ${tokenHash} then coalesce(present_confirmed_at, quita_now()) else present_confirmed_at end`,
      newConfirmedAt: sql<Date>`case when new_token_hash = ${tokenHash} then coalesce(new_confirmed_at, quita_now()) else new_confirmed_at end`,
    })
    .where('id', '=', id)
    .where((row) => row.or([row('presentTokenHash', '=', tokenHash), row('newTokenHash', '=', tokenHash)]))
    .where('expiresAt', '>', NOW)
    .returning(['memberId', 'ofCompany', 'presentEmail', 'newEmail', 'presentConfirmedAt', 'newConfirmedAt'])
    .executeTakeFirst();

/** Returns undefined when the member has left, or has another address than the one that confirmed the change. */
export const setMemberEmail = (tx: Tx, memberId: string, presentEmail: string, newEmail: string) =>
  queriesIn(tx)
    .updateTable('members')
    .set({ email: newEmail, updatedAt: NOW })
    .where('id', '=', memberId)
    .where('email', '=', presentEmail)
    .where('leftAt', 'is', null)
    .returning('id')
    .executeTakeFirst();

export const setCompanyEmail = (tx: Tx, clientId: string, presentEmail: string, newEmail: string) =>
  queriesIn(tx)
    .updateTable('clients')
    .set({ email: newEmail, updatedAt: NOW })
    .where('id', '=', clientId)
    .where('email', '=', presentEmail)
    .returning('id')
    .executeTakeFirst();

interface NewToken {
  readonly clientId: string;
  readonly id: string;
  readonly tokenHash: string;
}

/** Stores the token of the mail that is being written, and returns whom the mail goes to. */
export const SET_EMAIL_CHANGE_TOKEN = {
  present: prepared('email_change_present_token', (queries, { clientId, id, tokenHash }: NewToken) =>
    queries
      .updateTable('email_changes')
      .set({ presentTokenHash: tokenHash })
      .where('clientId', '=', clientId)
      .where('id', '=', id)
      .where('expiresAt', '>', NOW)
      .returning(['presentEmail as email', 'ofCompany']),
  ),
  new: prepared('email_change_new_token', (queries, { clientId, id, tokenHash }: NewToken) =>
    queries
      .updateTable('email_changes')
      .set({ newTokenHash: tokenHash })
      .where('clientId', '=', clientId)
      .where('id', '=', id)
      .where('expiresAt', '>', NOW)
      .returning(['newEmail as email', 'ofCompany']),
  ),
} as const;
