import { AppError } from '../../../kernel/errors.ts';
import type { Question } from '../ports/passkeys.ts';
import { CHALLENGE } from '../queries/login-challenges.ts';
import { findMember } from '../queries/members.ts';
import { CREDENTIALS_OF_MEMBER } from '../queries/passkeys.ts';
import type { AccountDeps, Origin } from './deps.ts';
import { hashToken } from './opaque-token.ts';
import { endedChallenge, keepQuestion } from './prove-passkey.ts';
import type { OwnCall } from './set-up-totp.ts';

type Deps = Pick<AccountDeps, 'db' | 'passkeys'>;

/** Asks the device for a new key of the member. */
export const askForNewPasskey =
  (deps: Deps) =>
  async ({ clientId, memberId }: OwnCall): Promise<Question> => {
    const member = await deps.db.tenant(clientId).transactional((tx) => findMember(tx, clientId, memberId));
    if (member === undefined) throw new AppError('token_invalid');
    const known = await deps.db.readPrepared({ clientId }, CREDENTIALS_OF_MEMBER, { memberId });
    return keepQuestion(deps, await deps.passkeys.askForKey(member, known), 'register', memberId);
  };

/** Asks for one of the member's passkeys. Throws `not_found` when it has none. */
async function askMember(deps: Deps, clientId: string, memberId: string): Promise<Question> {
  const known = await deps.db.readPrepared({ clientId }, CREDENTIALS_OF_MEMBER, { memberId });
  if (known.length === 0) throw new AppError('not_found');
  return deps.passkeys.askForSignature(known);
}

/**
 * Asks for any passkey of this service, which tells nothing about accounts; or, for a login whose password was right, for
 * one of its member.
 */
export const askForPasskey =
  (deps: Deps & Pick<AccountDeps, 'takeFromLoginRate'>) =>
  async ({ login, origin }: { readonly login: string | undefined; readonly origin: Origin }): Promise<Question> => {
    if (login === undefined) {
      await deps.takeFromLoginRate(origin.rateKey);
      return keepQuestion(deps, await deps.passkeys.askForSignature([]), 'login', null);
    }
    const [waiting] = await deps.db.readPrepared({ auth: true }, CHALLENGE, { tokenHash: hashToken(login) });
    if (waiting === undefined) {
      await deps.takeFromLoginRate(origin.rateKey);
      throw endedChallenge();
    }
    const question = await askMember(deps, waiting.clientId, waiting.memberId);
    return keepQuestion(deps, question, 'second_factor', waiting.id);
  };

/** Asks for a passkey of the member, for a step-up of this session. */
export const askForStepUp =
  (deps: Deps) =>
  async ({ clientId, memberId, sessionId }: OwnCall): Promise<Question> => {
    if (sessionId === undefined) throw new AppError('access_token_required');
    return keepQuestion(deps, await askMember(deps, clientId, memberId), 'step_up', sessionId);
  };
