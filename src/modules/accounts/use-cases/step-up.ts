import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit } from '../queries/add-audit.ts';
import { usePasskey } from '../queries/passkeys.ts';
import { stepUpSession } from '../queries/second-factors.ts';
import { STEP_UP_MINUTES } from '../rules/second-factor.ts';
import type { AccountDeps } from './deps.ts';
import { proveFactor, wrongCode } from './prove-factor.ts';
import { endedChallenge, type PasskeyAnswer, readPasskey, refuseCopy, useChallenge } from './prove-passkey.ts';
import type { OwnCall } from './set-up-totp.ts';

type SessionCall = OwnCall & { readonly sessionId: string };

/** A token of an identity provider says itself when the person was asked. */
const withSession = (call: OwnCall): SessionCall => {
  if (call.sessionId === undefined) throw new AppError('access_token_required');
  return { ...call, sessionId: call.sessionId };
};

async function markSession(tx: Tx, { clientId, sessionId, source }: SessionCall): Promise<void> {
  if ((await stepUpSession(tx, sessionId, STEP_UP_MINUTES)) === undefined) throw new AppError('token_invalid');
  await addRequestAudit(tx, { clientId, source, action: 'session_stepped_up', target: sessionId });
}

/** Proves the member's second factor again by a code, for some minutes of this one session. */
export const stepUp =
  (deps: Pick<AccountDeps, 'db' | 'cipher' | 'oneTimeCodes' | 'takeFromCodeRate'>) =>
  async ({ code, ...own }: OwnCall & { readonly code: string }): Promise<void> => {
    const call = withSession(own);
    const { clientId, memberId, source } = call;
    await deps.takeFromCodeRate(`${memberId}:${call.sessionId}`);
    const proved = await deps.db.account(clientId).transactional(async (tx) => {
      if (!(await proveFactor(tx, deps, { clientId, memberId, code, ip: source.ip }))) return false;
      await markSession(tx, call);
      return true;
    });
    if (!proved) throw wrongCode();
  };

/** Does the same by a passkey that was asked for in this session. */
export const stepUpByPasskey =
  (deps: Pick<AccountDeps, 'db' | 'passkeys' | 'takeFromMailRate' | 'workflows'>) =>
  async ({ challenge, response, ...own }: OwnCall & PasskeyAnswer): Promise<void> => {
    const call = withSession(own);
    const { source } = call;
    const asked = await useChallenge(deps, challenge, ['step_up']);
    if (asked?.boundTo !== call.sessionId) throw endedChallenge();
    const passkey = await readPasskey(deps, { challenge, response }, { ip: source.ip, owner: call });
    const proved = await deps.db.account(call.clientId).transactional(async (tx) => {
      if ((await usePasskey(tx, passkey.id, passkey.signed)) === undefined) return false;
      await markSession(tx, call);
      return true;
    });
    if (!proved) await refuseCopy(deps, passkey, source.ip);
  };
