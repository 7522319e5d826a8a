import { AppError } from '../../../kernel/errors.ts';
import { lockClient } from '../queries/clients.ts';
import { findMemberWithPassword, PASSWORD_OF_EMAIL } from '../queries/members.ts';
import { hasSecondFactor } from '../queries/second-factors.ts';
import type { SessionOwner } from '../queries/sessions.ts';
import { corporateEmailProblem } from '../rules/corporate-email.ts';
import { isInactive } from './account.ts';
import { challengeLogin, type WaitingLogin } from './answer-challenge.ts';
import type { AccountDeps, Origin } from './deps.ts';
import { type Entered, finishLogin, keptDevice, type OpenSession } from './finish-login.ts';
import { addressSource, deviceSource } from './login-sources.ts';
import { openSession, type TokenPair } from './open-session.ts';
import { tryPassword } from './try-password.ts';

export interface LogInInput {
  /** Normalised. */
  readonly email: string;
  readonly password: string;
  readonly origin: Origin;
  /** The token that this browser received at an earlier login. */
  readonly device?: string | null;
  /** True when the browser stores a token. */
  readonly keepsDevice?: boolean;
}

export type LogInDeps = Pick<
  AccountDeps,
  'db' | 'passwords' | 'accessTokens' | 'loginLockouts' | 'takeFromLoginRate' | 'isPersonalDomain' | 'workflows'
>;

/** What a login opens: at once, or when the second factor of its member has come. */
interface Opening<Opened> extends Omit<WaitingLogin, 'knownSource'> {
  readonly open: OpenSession<Opened>;
}

export const logIn =
  (deps: LogInDeps) =>
  (input: LogInInput): Promise<Entered & TokenPair> =>
    enterByPassword(deps, input, {
      kind: 'program',
      remember: false,
      open: (tx, owner) => openSession(tx, deps, owner),
    });

/**
 * The order of these refusals is public: locked, rate, corporate e-mail, no password, wrong, inactive, and the second
 * factor, of which nobody learns who does not have the password.
 */
export async function enterByPassword<Opened extends object>(
  deps: LogInDeps,
  input: LogInInput,
  opening: Opening<Opened>,
): Promise<Entered & Opened> {
  const { email, password, origin, device = null } = input;
  const address = addressSource(origin.rateKey);
  // The browser comes first, because many people may share an address.
  const sources = device === null ? [address] : [deviceSource(device), address];
  const counter = await deps.loginLockouts.counterOf(email, sources);
  await deps.takeFromLoginRate(origin.rateKey);
  refusePersonal(email, deps);

  const [known] = await deps.db.readPrepared({ auth: true }, PASSWORD_OF_EMAIL, { email });
  if (known !== undefined && known.passwordHash === null) throw new AppError('password_login_unavailable');

  const tried = { email, password, known: known ?? null, actor: 'anonymous', ip: origin.ip } as const;
  const attempt = await tryPassword(deps, counter, tried);
  const passwordHash = known?.passwordHash ?? null;
  if (attempt === null || known === undefined || passwordHash === null) throw new AppError('invalid_credentials');
  const owner = { clientId: known.clientId, memberId: known.id, passwordHash };
  const entering = enter(deps, owner, { input, knownSource: counter.source, opening });
  const [entered] = await Promise.all([entering, attempt.succeeded()]);
  if (typeof entered === 'string') throw new AppError('second_factor_required', { challenge: entered });
  return entered;
}

function refusePersonal(email: string, { isPersonalDomain }: Pick<LogInDeps, 'isPersonalDomain'>): void {
  const code = corporateEmailProblem(email, isPersonalDomain);
  if (code === null) return;
  const message = 'Use an e-mail of the company’s own domain';
  throw new AppError('validation_failed', { errors: [{ pointer: '/email', code, message }] });
}

interface Known extends SessionOwner {
  /** The hash that the password was verified with. */
  readonly passwordHash: string;
}

interface Entering<Opened> {
  readonly input: LogInInput;
  readonly knownSource: string | null;
  readonly opening: Opening<Opened>;
}

/** Returns the challenge of a member with a second factor. */
const enter = <Opened extends object>(
  deps: LogInDeps,
  { clientId, memberId, passwordHash }: Known,
  { input, knownSource, opening }: Entering<Opened>,
): Promise<string | (Entered & Opened)> =>
  deps.db.account(clientId).transactional(async (tx) => {
    // Without the lock, a password reset could end all sessions after the password was verified and before this session
    // is inserted.
    const client = await lockClient(tx, clientId);
    const member = await findMemberWithPassword(tx, memberId, passwordHash);
    if (client === undefined || member === undefined) throw new AppError('invalid_credentials');
    if (isInactive(client.status)) throw new AppError('account_inactive');
    const { open, kind, remember } = opening;
    if (await hasSecondFactor(tx, memberId)) {
      return challengeLogin(tx, { clientId, memberId }, { kind, remember, knownSource });
    }
    const { email, origin } = input;
    return finishLogin(tx, { client, member, email, origin, device: keptDevice(input, knownSource), open });
  });
