import { AppError } from '../../../kernel/errors.ts';
import type { NewKeyResponse } from '../ports/passkeys.ts';
import { addRequestAudit } from '../queries/add-audit.ts';
import { lockClient } from '../queries/clients.ts';
import { endChallenges } from '../queries/login-challenges.ts';
import { findMember } from '../queries/members.ts';
import { deletePasskey, insertPasskey, listPasskeys } from '../queries/passkeys.ts';
import { hasSecondFactor, removeRecoveryCodes } from '../queries/second-factors.ts';
import { knownTransports, MAX_PASSKEYS } from '../rules/passkeys.ts';
import { askForMail, mayNotify } from './ask-for-mail.ts';
import type { AccountDeps } from './deps.ts';
import { requireOpenSession } from './open-session.ts';
import { endedChallenge, useChallenge, wrongPasskey } from './prove-passkey.ts';
import { giveRecoveryCodes } from './recovery-codes.ts';
import type { OwnCall } from './set-up-totp.ts';

export interface PasskeyView {
  readonly id: string;
  readonly name: string;
  /** Whether the key is kept on several devices. */
  readonly synced: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

type Row = Awaited<ReturnType<typeof listPasskeys>>[number];
const viewOf = ({ id, name, backedUp, createdAt, lastUsedAt }: Row): PasskeyView => ({
  id,
  name,
  synced: backedUp,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

const tooMany = (): AppError =>
  new AppError('validation_failed', {
    errors: [{ pointer: '', code: 'too_many_passkeys', message: `A member has at most ${MAX_PASSKEYS} passkeys` }],
  });

interface Registration extends OwnCall {
  readonly challenge: string;
  readonly name: string;
  readonly response: NewKeyResponse;
}

/** The first second factor of a member, whichever it is, comes with recovery codes. Sessions stay open. */
export const registerPasskey =
  (deps: Pick<AccountDeps, 'db' | 'passkeys' | 'workflows' | 'takeFromMailRate'>) =>
  async ({
    clientId,
    memberId,
    sessionId,
    source,
    challenge,
    name,
    response,
  }: Registration): Promise<PasskeyView & { readonly recoveryCodes?: string[] }> => {
    const asked = await useChallenge(deps, challenge, ['register']);
    if (asked?.boundTo !== memberId) throw endedChallenge();
    const key = await deps.passkeys.readKey(response, challenge);
    if (key === null) throw wrongPasskey();
    const notify = await mayNotify(deps, memberId, 'passkey_added');
    return deps.db.account(clientId).transactional(async (tx) => {
      // Of two registrations at once, the second waits here, and then sees and counts the key of the first.
      await lockClient(tx, clientId);
      await requireOpenSession(tx, sessionId);
      if ((await findMember(tx, clientId, memberId)) === undefined) throw new AppError('token_invalid');
      if ((await listPasskeys(tx, memberId)).length >= MAX_PASSKEYS) throw tooMany();
      const isFirst = !(await hasSecondFactor(tx, memberId));
      const transports = knownTransports(response.response.transports);
      const publicKey = Buffer.from(key.publicKey);
      const made = await insertPasskey(tx, { ...key, clientId, memberId, name, transports, publicKey });
      if (made === undefined) throw wrongPasskey();
      const given = isFirst ? { recoveryCodes: await giveRecoveryCodes(tx, { clientId, memberId }) } : {};
      if (notify) await askForMail(tx, deps.workflows, clientId, 'passkey_added', memberId);
      await addRequestAudit(tx, { clientId, source, action: 'passkey_added', target: made.id });
      return { ...viewOf(made), ...given };
    });
  };

export const readPasskeys =
  ({ db }: Pick<AccountDeps, 'db'>) =>
  async ({ clientId, memberId }: OwnCall): Promise<{ readonly items: PasskeyView[]; readonly nextCursor: null }> => ({
    items: (await db.tenant(clientId).transactional((tx) => listPasskeys(tx, memberId))).map(viewOf),
    nextCursor: null,
  });

/** The recovery codes go with the last second factor, and so do the logins that wait for it. */
export const removePasskey =
  ({ db }: Pick<AccountDeps, 'db'>) =>
  ({ clientId, memberId, sessionId, source, id }: OwnCall & { readonly id: string }): Promise<void> =>
    db.account(clientId).transactional(async (tx) => {
      await lockClient(tx, clientId);
      await requireOpenSession(tx, sessionId);
      if ((await deletePasskey(tx, memberId, id)) === undefined) throw new AppError('not_found');
      if (!(await hasSecondFactor(tx, memberId))) {
        await removeRecoveryCodes(tx, { clientId, memberId });
        await endChallenges(tx, { clientId, memberId });
      }
      await addRequestAudit(tx, { clientId, source, action: 'passkey_removed', target: id });
    });
