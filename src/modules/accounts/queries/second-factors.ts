import { sql } from 'kysely';
import { NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { SessionOwner } from './sessions.ts';

export const findSecondFactor = (tx: Tx, memberId: string) =>
  queriesIn(tx)
    .selectFrom('second_factors')
    .select(['sealed', 'pendingSealed', 'lastStep'])
    .where('memberId', '=', memberId)
    .executeTakeFirst();

/** Whether the member has an app, and whether it has a passkey: either is a second factor. */
export const factorsOf = (tx: Tx, memberId: string): Promise<{ readonly app: boolean; readonly passkey: boolean }> =>
  queriesIn(tx)
    .selectNoFrom([
      sql<boolean>`exists (select from second_factors where member_id = ${memberId} and confirmed_at is not null)`.as(
        'app',
      ),
      sql<boolean>`exists (select from passkeys where member_id = ${memberId})`.as('passkey'),
    ])
    .executeTakeFirstOrThrow();

export async function hasSecondFactor(tx: Tx, memberId: string): Promise<boolean> {
  const { app, passkey } = await factorsOf(tx, memberId);
  return app || passkey;
}

/** Whether the member has an app, how many passkeys, and how many recovery codes are left. */
export const FACTORS_OF_MEMBER = prepared('factors_of_member', (queries, { memberId }: { readonly memberId: string }) =>
  queries.selectNoFrom((row) => [
    row
      .exists(
        row
          .selectFrom('second_factors')
          .select('id')
          .where('memberId', '=', memberId)
          .where('confirmedAt', 'is not', null),
      )
      .$castTo<boolean>()
      .as('totp'),
    row
      .selectFrom('passkeys')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('memberId', '=', memberId)
      .as('passkeys'),
    row
      .selectFrom('recovery_codes')
      .select(sql<number>`count(*)::int`.as('left'))
      .where('memberId', '=', memberId)
      .where('usedAt', 'is', null)
      .as('recoveryCodesLeft'),
  ]),
);

/** Stores a secret that is not confirmed yet, in place of an earlier one of the same kind. */
export const storePendingSecret = (tx: Tx, { clientId, memberId }: SessionOwner, pendingSealed: string) =>
  queriesIn(tx)
    .insertInto('second_factors')
    .values({ clientId, memberId, pendingSealed })
    .onConflict((row) => row.column('memberId').doUpdateSet({ pendingSealed, updatedAt: NOW }))
    .execute();

/** Returns undefined when another call has confirmed or replaced the secret meanwhile. */
export const confirmPendingSecret = (tx: Tx, memberId: string, pendingSealed: string, lastStep: number) =>
  queriesIn(tx)
    .updateTable('second_factors')
    .set({ sealed: pendingSealed, pendingSealed: null, lastStep, confirmedAt: NOW, updatedAt: NOW })
    .where('memberId', '=', memberId)
    .where('pendingSealed', '=', pendingSealed)
    .returning('id')
    .executeTakeFirst();

/** Uses the code of a step. Of two calls with the same code, the second finds that the step was used. */
export const useStep = (tx: Tx, memberId: string, sealed: string, step: number) =>
  queriesIn(tx)
    .updateTable('second_factors')
    .set({ lastStep: step, updatedAt: NOW })
    .where('memberId', '=', memberId)
    .where('sealed', '=', sealed)
    .where('lastStep', '<', step)
    .returning('id')
    .executeTakeFirst();

/** Stores the same secret, sealed with the newest key. */
export const sealAgain = (tx: Tx, memberId: string, from: string, sealed: string) =>
  queriesIn(tx)
    .updateTable('second_factors')
    .set({ sealed })
    .where('memberId', '=', memberId)
    .where('sealed', '=', from)
    .execute();

export async function replaceRecoveryCodes(
  tx: Tx,
  { clientId, memberId }: SessionOwner,
  codeHashes: readonly string[],
): Promise<void> {
  await queriesIn(tx).deleteFrom('recovery_codes').where('memberId', '=', memberId).execute();
  await queriesIn(tx)
    .insertInto('recovery_codes')
    .values(codeHashes.map((codeHash) => ({ clientId, memberId, codeHash })))
    .execute();
}

/** Of two calls with the same code, the second finds it used. */
export const useRecoveryCode = (tx: Tx, memberId: string, codeHash: string) =>
  queriesIn(tx)
    .updateTable('recovery_codes')
    .set({ usedAt: NOW })
    .where('memberId', '=', memberId)
    .where('codeHash', '=', codeHash)
    .where('usedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();

interface Whose {
  readonly clientId: string;
  /** Undefined for all members of the client. */
  readonly memberId?: string;
}

/** Removes the app that makes codes. */
export const removeApp = (tx: Tx, { clientId, memberId }: Whose) =>
  queriesIn(tx)
    .deleteFrom('second_factors')
    .where('clientId', '=', clientId)
    .$if(memberId !== undefined, (factors) => factors.where('memberId', '=', memberId!))
    .execute();

/** Removes the recovery codes, which take the place of a factor and are none by themselves. */
export const removeRecoveryCodes = (tx: Tx, { clientId, memberId }: Whose) =>
  queriesIn(tx)
    .deleteFrom('recovery_codes')
    .where('clientId', '=', clientId)
    .$if(memberId !== undefined, (codes) => codes.where('memberId', '=', memberId!))
    .execute();

/** Removes the app, the passkeys and the recovery codes of one member, or of all members of the client. */
export async function removeSecondFactors(tx: Tx, whose: Whose): Promise<void> {
  await removeRecoveryCodes(tx, whose);
  await removeApp(tx, whose);
  await queriesIn(tx)
    .deleteFrom('passkeys')
    .where('clientId', '=', whose.clientId)
    .$if(whose.memberId !== undefined, (passkeys) => passkeys.where('memberId', '=', whose.memberId!))
    .execute();
}

/** Marks the session as one whose member has just proved the second factor again. */
export const stepUpSession = (tx: Tx, sessionId: string, minutes: number) =>
  queriesIn(tx)
    .updateTable('sessions')
    .set({ steppedUpUntil: sql<Date>`now() + make_interval(mins => ${minutes})` })
    .where('id', '=', sessionId)
    .where('endedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
