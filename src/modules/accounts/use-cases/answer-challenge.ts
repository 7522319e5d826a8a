import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { lockClient } from '../queries/clients.ts';
import { CHALLENGE, endChallenge, insertChallenge, takeTry } from '../queries/login-challenges.ts';
import { findMember } from '../queries/members.ts';
import type { SessionOwner } from '../queries/sessions.ts';
import { CHALLENGE_MINUTES, CHALLENGE_TRIES, type LoginKind } from '../rules/second-factor.ts';
import { isInactive } from './account.ts';
import { type ConsoleCookie, type ConsoleToken, openConsoleSession } from './console-session.ts';
import type { AccountDeps, Origin } from './deps.ts';
import { type Entered, finishLogin, keptDevice, type OpenSession } from './finish-login.ts';
import { hashToken, newOpaqueToken } from './opaque-token.ts';
import { openSession, type TokenPair } from './open-session.ts';
import { proveFactor, wrongCode } from './prove-factor.ts';

export interface ChallengeAnswer {
  readonly challenge: string;
  readonly code: string;
  readonly origin: Origin;
  readonly device?: string | null;
  readonly keepsDevice?: boolean;
}

/** What a login opens once its second factor has come. */
export interface WaitingLogin {
  readonly kind: LoginKind;
  readonly remember: boolean;
  /** The browser or address by which the login was recognised. */
  readonly knownSource: string | null;
}

/** Stores that a login waits for its second factor, and returns the token that it goes on with. */
export async function challengeLogin(tx: Tx, owner: SessionOwner, waiting: WaitingLogin): Promise<string> {
  const token = newOpaqueToken();
  await insertChallenge(tx, CHALLENGE_MINUTES, { ...owner, ...waiting, tokenHash: hashToken(token) });
  return token;
}

type Deps = Pick<
  AccountDeps,
  'db' | 'accessTokens' | 'cipher' | 'oneTimeCodes' | 'takeFromLoginRate' | 'takeFromCodeRate'
>;

export const answerChallenge =
  (deps: Deps) =>
  (input: ChallengeAnswer): Promise<Entered & TokenPair> =>
    enterByChallenge(deps, input, 'program', () => (tx, owner) => openSession(tx, deps, owner));

export const answerChallengeOfConsole =
  (deps: Deps) =>
  (input: ChallengeAnswer): Promise<Entered & ConsoleToken & ConsoleCookie> =>
    enterByChallenge(
      deps,
      input,
      'console',
      (remember) => (tx, owner) => openConsoleSession(tx, deps, { ...owner, remember }),
    );

const ended = (): AppError =>
  new AppError('token_invalid', { detail: 'The challenge has ended, or belongs to another login. Log in again.' });

/**
 * The tries belong to the challenge, which only the right password makes, so that nobody else's wrong codes lock the
 * member out. A rate bounds the tries over many challenges; a browser or address that is known has one of its own.
 */
async function enterByChallenge<Opened extends object>(
  deps: Deps,
  { challenge, code, origin, ...browser }: ChallengeAnswer,
  kind: LoginKind,
  openerOf: (remember: boolean) => OpenSession<Opened>,
): Promise<Entered & Opened> {
  const [found] = await deps.db.readPrepared({ auth: true }, CHALLENGE, { tokenHash: hashToken(challenge) });
  if (found?.kind !== kind) {
    await deps.takeFromLoginRate(origin.rateKey);
    throw ended();
  }
  const { id, clientId, memberId, knownSource, email, remember } = found;
  await deps.takeFromCodeRate(knownSource === null ? memberId : `${memberId}:${knownSource}`);
  const device = keptDevice(browser, knownSource);
  const entered = await deps.db.account(clientId).transactional(async (tx) => {
    const client = await lockClient(tx, clientId);
    if ((await takeTry(tx, id, CHALLENGE_TRIES)) === undefined) throw ended();
    const known = await findMember(tx, clientId, memberId);
    if (client === undefined || known === undefined) throw ended();
    if (isInactive(client.status)) throw new AppError('account_inactive');
    // A wrong code is committed, because it counts.
    if (!(await proveFactor(tx, deps, { clientId, memberId, code, ip: origin.ip }))) return null;
    await endChallenge(tx, id);
    const { createdAt: _, ...member } = known;
    return finishLogin(tx, { client, member, email, origin, device, open: openerOf(remember) });
  });
  if (entered === null) throw wrongCode();
  return entered;
}
