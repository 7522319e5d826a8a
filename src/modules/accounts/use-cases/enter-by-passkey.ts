import { AppError } from '../../../kernel/errors.ts';
import { lockClient } from '../queries/clients.ts';
import { CHALLENGE_BY_ID, endChallenge, takeTry } from '../queries/login-challenges.ts';
import { LOGIN_COUNTER } from '../queries/login-lockouts.ts';
import { findMember } from '../queries/members.ts';
import { usePasskey } from '../queries/passkeys.ts';
import { CHALLENGE_TRIES, type LoginKind } from '../rules/second-factor.ts';
import { isInactive } from './account.ts';
import { type ConsoleCookie, type ConsoleToken, openConsoleSession } from './console-session.ts';
import type { AccountDeps, Origin } from './deps.ts';
import { type Entered, finishLogin, keptDevice, type OpenSession } from './finish-login.ts';
import { emailHash } from './login-lockout.ts';
import { addressSource, deviceSource } from './login-sources.ts';
import { openSession, type TokenPair } from './open-session.ts';
import {
  endedChallenge,
  type PasskeyAnswer,
  readPasskey,
  refuseCopy,
  useChallenge,
  wrongPasskey,
} from './prove-passkey.ts';

interface PasskeyLogin extends PasskeyAnswer {
  readonly origin: Origin;
  readonly device?: string | null;
  readonly keepsDevice?: boolean;
}

type Deps = Pick<
  AccountDeps,
  'db' | 'accessTokens' | 'passkeys' | 'takeFromLoginRate' | 'takeFromMailRate' | 'workflows'
>;

export const enterByPasskey =
  (deps: Deps) =>
  (input: PasskeyLogin): Promise<Entered & TokenPair> =>
    enter(deps, input, 'program', () => (tx, owner) => openSession(tx, deps, owner));

export const enterConsoleByPasskey =
  (deps: Deps) =>
  ({
    remember,
    ...input
  }: PasskeyLogin & { readonly remember: boolean }): Promise<Entered & ConsoleToken & ConsoleCookie> =>
    enter(deps, input, 'console', (said) => (tx, owner) => {
      return openConsoleSession(tx, deps, { ...owner, remember: said ?? remember });
    });

/** The login that waits for this passkey, or null when the passkey is all of the login. */
async function findWaiting({ db }: Deps, loginId: string | null, kind: LoginKind) {
  if (loginId === null) return null;
  const [waiting] = await db.readPrepared({ auth: true }, CHALLENGE_BY_ID, { id: loginId });
  if (waiting?.kind !== kind) throw endedChallenge();
  return waiting;
}

/** The browser or address of this login that has logged in lately. A lock is no matter: it stops passwords alone. */
async function sourceOf({ db }: Deps, email: string, { origin, device = null }: PasskeyLogin) {
  const address = addressSource(origin.rateKey);
  const sources = device === null ? [address] : [deviceSource(device), address];
  const [found] = await db.readPrepared({ auth: true }, LOGIN_COUNTER, { emailHash: emailHash(email), sources });
  return found?.source ?? null;
}

/**
 * A passkey that has recognised its person is two factors in one, so it opens a session by itself. It also is the second
 * factor of a login whose password was right; then it has to be one of that member.
 */
async function enter<Opened extends object>(
  deps: Deps,
  input: PasskeyLogin,
  kind: LoginKind,
  /** `remember` as it was said with the password; null when there was none. */
  openerOf: (remember: boolean | null) => OpenSession<Opened>,
): Promise<Entered & Opened> {
  const { origin } = input;
  const asked = await useChallenge(deps, input.challenge, ['login', 'second_factor']);
  if (asked === undefined) {
    await deps.takeFromLoginRate(origin.rateKey);
    throw endedChallenge();
  }
  const waiting = await findWaiting(deps, asked.boundTo, kind);
  const passkey = await readPasskey(deps, input, { ip: origin.ip, owner: waiting });
  const { clientId, memberId, email } = passkey;
  const knownSource = waiting === null ? await sourceOf(deps, email, input) : waiting.knownSource;
  const device = keptDevice(input, knownSource);
  const entered = await deps.db.account(clientId).transactional(async (tx) => {
    const client = await lockClient(tx, clientId);
    if (waiting !== null && (await takeTry(tx, waiting.id, CHALLENGE_TRIES)) === undefined) throw endedChallenge();
    const known = await findMember(tx, clientId, memberId);
    if (client === undefined || known === undefined) throw wrongPasskey();
    if (isInactive(client.status)) throw new AppError('account_inactive');
    if ((await usePasskey(tx, passkey.id, passkey.signed)) === undefined) return null;
    if (waiting !== null) await endChallenge(tx, waiting.id);
    const { createdAt: _, ...member } = known;
    return finishLogin(tx, { client, member, email, origin, device, open: openerOf(waiting?.remember ?? null) });
  });
  return entered ?? refuseCopy(deps, passkey, origin.ip);
}
