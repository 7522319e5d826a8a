import { type Insertable, sql } from 'kysely';
import type { MemberRole } from '../../../kernel/member-rights.ts';
import { NOW, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

export const PASSWORD_OF_MEMBER = prepared(
  'change_password_member',
  (queries, { memberId }: { readonly memberId: string }) =>
    queries
      .selectFrom('members')
      .select(['id', 'clientId', 'email', 'passwordHash'])
      .where('id', '=', memberId)
      .where('leftAt', 'is', null),
);

export const PASSWORD_OF_EMAIL = prepared('log_in_by_email', (queries, { email }: { readonly email: string }) =>
  queries
    .selectFrom('members')
    .select(['id', 'clientId', 'passwordHash'])
    .where('email', '=', email)
    .where('leftAt', 'is', null),
);

/** A member whose company has not confirmed the address by which it signed up, which is also the member's. */
export const UNCONFIRMED_MEMBER = prepared('unconfirmed_by_email', (queries, { email }: { readonly email: string }) =>
  queries
    .selectFrom('members')
    .innerJoin('clients', 'clients.id', 'members.clientId')
    .select(['members.id', 'members.clientId'])
    .where('members.email', '=', email)
    .where('members.leftAt', 'is', null)
    .where('clients.email', '=', email)
    .where('clients.emailConfirmedAt', 'is', null),
);

/** The address of a member, or of the first owner where `memberId` is null. */
export const ADDRESS_OF_MEMBER = prepared(
  'address_of_member',
  (queries, { clientId, memberId }: { readonly clientId: string; readonly memberId: string | null }) =>
    queries
      .selectFrom('members')
      .select(['id', 'email'])
      .where('clientId', '=', clientId)
      .where('leftAt', 'is', null)
      .where(sql<boolean>`case when ${memberId}::uuid is null then role = 'owner' else id = ${memberId}::uuid end`)
      .orderBy('createdAt')
      .orderBy('id')
      .limit(1),
);

type NewMember = Pick<Insertable<Tables['members']>, 'id' | 'clientId' | 'email' | 'name' | 'role' | 'passwordHash'>;

export const insertMember = (tx: Tx, member: NewMember) =>
  queriesIn(tx)
    .insertInto('members')
    .values(member)
    .returning(['id', 'name', 'email', 'role'])
    .executeTakeFirstOrThrow();

const SHOWN = ['id', 'name', 'email', 'role'] as const;

export interface MemberSummary {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: MemberRole;
}

/** Finds a member of the client that has not left. */
export const findMember = (tx: Tx, clientId: string, memberId: string) =>
  queriesIn(tx)
    .selectFrom('members')
    .select([...SHOWN, 'createdAt'])
    .where('id', '=', memberId)
    .where('clientId', '=', clientId)
    .where('leftAt', 'is', null)
    .executeTakeFirst();

/** Finds the member if its password is still the one that was verified. */
export const findMemberWithPassword = (tx: Tx, memberId: string, passwordHash: string) =>
  queriesIn(tx)
    .selectFrom('members')
    .select(SHOWN)
    .where('id', '=', memberId)
    .where('passwordHash', '=', passwordHash)
    .where('leftAt', 'is', null)
    .executeTakeFirst();

export const setPassword = (tx: Tx, memberId: string, passwordHash: string) =>
  queriesIn(tx)
    .updateTable('members')
    .set({ passwordHash, updatedAt: NOW })
    .where('id', '=', memberId)
    .where('leftAt', 'is', null)
    .returning('email')
    .executeTakeFirst();

/** Of two concurrent changes, the second finds that the stored hash is no longer the one that it verified. */
export const replacePassword = (
  tx: Tx,
  memberId: string,
  { verified, passwordHash }: { readonly verified: string; readonly passwordHash: string },
) =>
  queriesIn(tx)
    .updateTable('members')
    .set({ passwordHash, updatedAt: NOW })
    .where('id', '=', memberId)
    .where('passwordHash', '=', verified)
    .returning('id')
    .executeTakeFirst();

export const setRole = (tx: Tx, memberId: string, role: MemberRole) =>
  queriesIn(tx).updateTable('members').set({ role, updatedAt: NOW }).where('id', '=', memberId).execute();

/** Marks a member as one that has left. Its row stays, because what it did refers to it. */
export const leave = (tx: Tx, memberId: string) =>
  queriesIn(tx)
    .updateTable('members')
    .set({ leftAt: NOW, passwordHash: null, updatedAt: NOW })
    .where('id', '=', memberId)
    .execute();

/** Every other member of the client leaves. */
export const leaveAllBut = (tx: Tx, clientId: string, memberId: string) =>
  queriesIn(tx)
    .updateTable('members')
    .set({ leftAt: NOW, passwordHash: null, updatedAt: NOW })
    .where('clientId', '=', clientId)
    .where('id', '<>', memberId)
    .where('leftAt', 'is', null)
    .execute();

/** Under the lock of the client's row nobody else changes the answer. */
export const hasOtherOwner = async (tx: Tx, clientId: string, memberId: string): Promise<boolean> =>
  (await queriesIn(tx)
    .selectFrom('members')
    .select('id')
    .where('clientId', '=', clientId)
    .where('role', '=', 'owner')
    .where('leftAt', 'is', null)
    .where('id', '<>', memberId)
    .limit(1)
    .executeTakeFirst()) !== undefined;

interface MemberPage {
  readonly clientId: string;
  /** The last row of the page before. */
  readonly afterAt: Date;
  readonly afterId: string;
  readonly limit: number;
}

/** Lists members and invitations, the oldest first. */
export const MEMBERS = prepared('list_members', (queries, page: MemberPage) =>
  queries
    .selectFrom((from) =>
      from
        .selectFrom('members')
        .select([...SHOWN, 'createdAt', sql<Date | null>`null::timestamptz`.as('expiresAt')])
        .select((row) =>
          row
            .selectFrom('sessions')
            .select(sql<Date | null>`max(last_used_at)`.as('at'))
            .whereRef('sessions.memberId', '=', 'members.id')
            .as('lastSeenAt'),
        )
        .select((row) =>
          row
            .or([
              row.exists(
                row
                  .selectFrom('second_factors')
                  .select('second_factors.id')
                  .whereRef('second_factors.memberId', '=', 'members.id')
                  .where('confirmedAt', 'is not', null),
              ),
              row.exists(
                row.selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.memberId', '=', 'members.id'),
              ),
            ])
            .$castTo<boolean | null>()
            .as('secondFactor'),
        )
        .where('clientId', '=', page.clientId)
        .where('leftAt', 'is', null)
        .unionAll(
          from
            .selectFrom('invitations')
            .select([...SHOWN, 'createdAt', 'expiresAt', sql<Date | null>`null::timestamptz`.as('lastSeenAt')])
            .select(sql<boolean | null>`null::boolean`.as('secondFactor'))
            .where('clientId', '=', page.clientId),
        )
        .as('people'),
    )
    .selectAll()
    .where(sql<boolean>`(created_at, id) > (${page.afterAt}, ${page.afterId})`)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(page.limit),
);

export type MemberRow = ReturnType<(typeof MEMBERS)['rowsOf']>[number];
