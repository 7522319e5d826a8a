import { addAudit } from '../db/audit.ts';
import { emailHash, type LoginTry } from '../db/login-lockout.ts';
import { runInTransaction } from '../db/statement.ts';
import { corporateEmailProblem } from '../domain/corporate-email.ts';
import { AppError } from '../domain/errors.ts';
import { CLIENT_COLUMNS, type ClientColumns, type ClientSummary, isInactive, summaryOf } from './account.ts';
import type { Origin, ServiceDeps } from './deps.ts';
import { openSession, type TokenPair } from './open-session.ts';

export interface LogInInput {
  /** Normalised. */
  readonly email: string;
  readonly password: string;
  readonly origin: Origin;
}

type Deps = Pick<
  ServiceDeps,
  'db' | 'passwords' | 'accessTokens' | 'loginLockouts' | 'takeFromLoginRate' | 'isPersonalDomain'
>;

interface Known {
  readonly id: string;
  readonly passwordHash: string | null;
}

const BY_EMAIL = {
  name: 'log_in_by_email',
  text: 'select id, password_hash as "passwordHash" from clients where email = $1',
};

// Locked, so that a password reset does not end all sessions between the check of the old password and this session.
const LOCK_CLIENT = `select ${CLIENT_COLUMNS} from clients where id = $1 and password_hash = $2 for no key update`;
const ACTIVATE = `update clients set status = 'ACTIVE', updated_at = now() where id = $1`;

/** The order of these refusals is public: locked, rate, corporate e-mail, no password, wrong, inactive. */
export const logIn =
  (deps: Deps) =>
  async ({ email, password, origin }: LogInInput): Promise<TokenPair & { client: ClientSummary }> => {
    await deps.loginLockouts.refuseLocked(email);
    await deps.takeFromLoginRate(origin.rateKey);
    refusePersonal(email, deps);

    const [known] = await deps.db.read<Known>({ auth: true }, BY_EMAIL, [email]);
    if (known !== undefined && known.passwordHash === null) throw new AppError('password_login_unavailable');

    const attempt = await tryPassword(deps, { email, password, known, origin });
    if (attempt === null || known === undefined) throw new AppError('invalid_credentials');
    const [entered] = await Promise.all([enter(deps, known, origin), attempt.succeeded()]);
    return entered;
  };

function refusePersonal(email: string, { isPersonalDomain }: Pick<Deps, 'isPersonalDomain'>): void {
  const code = corporateEmailProblem(email, isPersonalDomain);
  if (code === null) return;
  const message = 'Use an e-mail of the company’s own domain';
  throw new AppError('validation_failed', { errors: [{ pointer: '/email', code, message }] });
}

/** The try when the password is right, else null. Takes the same steps for an e-mail that nobody has, so that no clock can tell. */
async function tryPassword(
  { db, passwords, loginLockouts }: Deps,
  { email, password, known, origin }: LogInInput & { readonly known: Known | undefined },
): Promise<LoginTry | null> {
  const attempt = await loginLockouts.begin(email);
  let right: boolean;
  try {
    right = await passwords.verify(known?.passwordHash ?? null, password);
  } catch (error) {
    await attempt.undecided();
    throw error;
  }
  if (right) return attempt;
  const locked = await attempt.failed();
  const told = { clientId: known?.id ?? null, actor: 'anonymous', target: emailHash(email), ip: origin.ip } as const;
  await db.system().transactional(async (em) => {
    await addAudit(em, { ...told, action: 'login_failed' });
    if (locked) await addAudit(em, { ...told, action: 'login_locked' });
  });
  return null;
}

const enter = (deps: Deps, { id, passwordHash }: Known, { ip }: Origin) =>
  deps.db.tenant(id).transactional(async (em) => {
    const [client] = await runInTransaction<ClientColumns>(em, LOCK_CLIENT, [id, passwordHash]);
    if (client === undefined) throw new AppError('invalid_credentials');
    if (isInactive(client.status)) throw new AppError('account_inactive');
    if (client.status === 'ONBOARDING') await runInTransaction(em, ACTIVATE, [id]);
    const pair = await openSession(em, deps, id);
    await addAudit(em, { clientId: id, actor: 'client', action: 'login', ip });
    return { ...pair, client: summaryOf({ ...client, status: 'ACTIVE' }) };
  });
