import { addAudit } from '../../db/audit.ts';
import { emailHash } from '../../db/login-lockout.ts';
import { addressSource, deviceSource, REMEMBER_SOURCES, SOURCE_DAYS } from '../../db/login-sources.ts';
import { runInTransaction } from '../../db/statement.ts';
import { corporateEmailProblem } from '../../domain/corporate-email.ts';
import { AppError } from '../../domain/errors.ts';
import type { Origin, ServiceDeps } from '../deps.ts';
import { CLIENT_COLUMNS, type ClientColumns, type ClientSummary, isInactive, summaryOf } from './account.ts';
import { newOpaqueToken } from './opaque-token.ts';
import { openSession, type TokenPair } from './open-session.ts';
import { tryPassword } from './try-password.ts';

/** How long a browser keeps its token; each login begins it anew. */
export const DEVICE_DAYS = SOURCE_DAYS;

export interface LogInInput {
  /** Normalised. */
  readonly email: string;
  readonly password: string;
  readonly origin: Origin;
  /** The token that this browser was given at an earlier login. */
  readonly device?: string | null;
  /** It keeps a token: one that does not would leave a row behind at every login. */
  readonly keepsDevice?: boolean;
}

export interface LoggedIn extends TokenPair {
  readonly client: ClientSummary;
  /** For the browser to keep; null where it keeps none. */
  readonly device: string | null;
}

type Deps = Pick<
  ServiceDeps,
  'db' | 'passwords' | 'accessTokens' | 'loginLockouts' | 'takeFromLoginRate' | 'isPersonalDomain' | 'workflows'
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
  async (input: LogInInput): Promise<LoggedIn> => {
    const { email, password, origin, device = null, keepsDevice = false } = input;
    const address = addressSource(origin.rateKey);
    // A browser is one, an address may be many.
    const sources = device === null ? [address] : [deviceSource(device), address];
    const counter = await deps.loginLockouts.counterOf(email, sources);
    await deps.takeFromLoginRate(origin.rateKey);
    refusePersonal(email, deps);

    const [known] = await deps.db.read<Known>({ auth: true }, BY_EMAIL, [email]);
    if (known !== undefined && known.passwordHash === null) throw new AppError('password_login_unavailable');

    const tried = { email, password, known: known ?? null, actor: 'anonymous', ip: origin.ip } as const;
    const attempt = await tryPassword(deps, counter, tried);
    if (attempt === null || known === undefined) throw new AppError('invalid_credentials');
    // A token that this e-mail does not know was not given out for it: whoever put it there would know it too.
    const recognised = device !== null && counter.source === deviceSource(device);
    const kept = recognised ? device : keepsDevice ? newOpaqueToken() : null;
    const from = { email, ip: origin.ip, sources: kept === null ? [address] : [deviceSource(kept), address] };
    const [entered] = await Promise.all([enter(deps, known, from), attempt.succeeded()]);
    return { ...entered, device: kept };
  };

function refusePersonal(email: string, { isPersonalDomain }: Pick<Deps, 'isPersonalDomain'>): void {
  const code = corporateEmailProblem(email, isPersonalDomain);
  if (code === null) return;
  const message = 'Use an e-mail of the company’s own domain';
  throw new AppError('validation_failed', { errors: [{ pointer: '/email', code, message }] });
}

interface Entering {
  readonly email: string;
  readonly ip: string;
  readonly sources: readonly string[];
}

const enter = (deps: Deps, { id, passwordHash }: Known, { email, ip, sources }: Entering) =>
  deps.db.tenant(id).transactional(async (em) => {
    const [client] = await runInTransaction<ClientColumns>(em, LOCK_CLIENT, [id, passwordHash]);
    if (client === undefined) throw new AppError('invalid_credentials');
    if (isInactive(client.status)) throw new AppError('account_inactive');
    if (client.status === 'ONBOARDING') await runInTransaction(em, ACTIVATE, [id]);
    const pair = await openSession(em, deps, id);
    await runInTransaction(em, REMEMBER_SOURCES, [emailHash(email), sources]);
    await addAudit(em, { clientId: id, actor: 'client', action: 'login', ip });
    return { ...pair, client: summaryOf({ ...client, status: 'ACTIVE' }) };
  });
