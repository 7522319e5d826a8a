import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../queries/add-audit.ts';
import { lockClient } from '../queries/clients.ts';
import { findMember } from '../queries/members.ts';
import { confirmPendingSecret, findSecondFactor, storePendingSecret } from '../queries/second-factors.ts';
import { endSessions } from '../queries/sessions.ts';
import { normaliseCode } from '../rules/second-factor.ts';
import type { AccountDeps } from './deps.ts';
import { requireOpenSession } from './open-session.ts';
import { secretContext, wrongCode } from './prove-factor.ts';
import { giveRecoveryCodes } from './recovery-codes.ts';

export interface OwnCall {
  readonly clientId: string;
  readonly memberId: string;
  /** Undefined for a token of an identity provider. */
  readonly sessionId: string | undefined;
  readonly source: RequestSource;
}

/** Begins to set up the app of a member. An app that was set up before counts until a code of the new one comes. */
export const setUpTotp =
  ({ db, cipher, oneTimeCodes }: Pick<AccountDeps, 'db' | 'cipher' | 'oneTimeCodes'>) =>
  ({ clientId, memberId, sessionId, source }: OwnCall): Promise<{ readonly secret: string; readonly uri: string }> =>
    db.account(clientId).transactional(async (tx) => {
      const member = await findMember(tx, clientId, memberId);
      if (member === undefined) throw new AppError('token_invalid');
      await requireOpenSession(tx, sessionId);
      const secret = oneTimeCodes.newSecret();
      await storePendingSecret(tx, { clientId, memberId }, cipher.seal(secret, secretContext(memberId)));
      await addRequestAudit(tx, { clientId, source, action: 'second_factor_started', target: memberId });
      return { secret, uri: oneTimeCodes.uriOf(secret, member.email) };
    });

/**
 * The first code of the app proves that the member has it. From then on the member has a second factor, the sessions
 * that were opened without it end, except the caller's, and the recovery codes of before are replaced.
 */
export const confirmTotp =
  (deps: Pick<AccountDeps, 'db' | 'cipher' | 'oneTimeCodes' | 'takeFromCodeRate'>) =>
  async ({
    clientId,
    memberId,
    sessionId,
    source,
    code,
  }: OwnCall & { readonly code: string }): Promise<{ readonly recoveryCodes: string[] }> => {
    const { db, cipher, oneTimeCodes } = deps;
    await deps.takeFromCodeRate(`${memberId}:${sessionId ?? 'identity'}`);
    return db.account(clientId).transactional(async (tx) => {
      // The client's row is locked first, as by a login, so that the two do not deadlock.
      await lockClient(tx, clientId);
      await requireOpenSession(tx, sessionId);
      const pending = (await findSecondFactor(tx, memberId))?.pendingSealed ?? null;
      if (pending === null) throw wrongCode();
      const secret = cipher.open(pending, secretContext(memberId));
      const step = oneTimeCodes.stepOf(secret, normaliseCode(code), 0);
      if (step === null) throw wrongCode();
      if ((await confirmPendingSecret(tx, memberId, pending, step)) === undefined) throw wrongCode();
      const recoveryCodes = await giveRecoveryCodes(tx, { clientId, memberId });
      await endSessions(tx, { clientId, memberId, kept: sessionId });
      await addRequestAudit(tx, { clientId, source, action: 'second_factor_confirmed', target: memberId });
      return { recoveryCodes };
    });
  };
