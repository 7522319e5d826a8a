import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addAudit } from '../queries/add-audit.ts';
import { lockClient, setStatus } from '../queries/clients.ts';
import { rememberSources } from '../queries/login-sources.ts';
import { findMemberWithPassword, type MemberSummary, PASSWORD_OF_EMAIL } from '../queries/members.ts';
import type { SessionOwner } from '../queries/sessions.ts';
import { corporateEmailProblem } from '../rules/corporate-email.ts';
import { type ClientSummary, isInactive, summaryOf } from './account.ts';
import type { AccountDeps, Origin } from './deps.ts';
import { emailHash } from './login-lockout.ts';
import { addressSource, deviceSource } from './login-sources.ts';
import { newOpaqueToken } from './opaque-token.ts';
import { openSession, type TokenPair } from './open-session.ts';
import { tryPassword } from './try-password.ts';

export interface LogInInput {
  /** Normalised. */
  readonly email: string;
  readonly password: string;
  readonly origin: Origin;
  /** The token that this browser received at an earlier login. */
  readonly device?: string | null;
  /** True when the browser stores a token. Any other browser would leave a row behind at every login. */
  readonly keepsDevice?: boolean;
}

export interface Entered {
  readonly client: ClientSummary;
  readonly member: MemberSummary;
  /** The token that the browser is to store, or null when it stores none. */
  readonly device: string | null;
}

/** Opens a session of one kind: a program's with a refresh token, or the console's with a cookie. */
export type OpenSession<Opened> = (tx: Tx, owner: SessionOwner) => Promise<Opened>;

export type LogInDeps = Pick<
  AccountDeps,
  'db' | 'passwords' | 'accessTokens' | 'loginLockouts' | 'takeFromLoginRate' | 'isPersonalDomain' | 'workflows'
>;

export const logIn =
  (deps: LogInDeps) =>
  (input: LogInInput): Promise<Entered & TokenPair> =>
    enterByPassword(deps, input, (tx, owner) => openSession(tx, deps, owner));

/** The order of these refusals is public: locked, rate, corporate e-mail, no password, wrong, inactive. */
export async function enterByPassword<Opened extends object>(
  deps: LogInDeps,
  input: LogInInput,
  open: OpenSession<Opened>,
): Promise<Entered & Opened> {
  const { email, password, origin, device = null, keepsDevice = false } = input;
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
  // A token that is not stored for this e-mail was not issued for it, and another person may know it.
  const recognised = device !== null && counter.source === deviceSource(device);
  const kept = recognised ? device : keepsDevice ? newOpaqueToken() : null;
  const from = { email, ip: origin.ip, sources: kept === null ? [address] : [deviceSource(kept), address] };
  const entering = enter(deps, { clientId: known.clientId, memberId: known.id, passwordHash }, from, open);
  const [entered] = await Promise.all([entering, attempt.succeeded()]);
  return { ...entered, device: kept };
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

interface Entering {
  readonly email: string;
  readonly ip: string;
  readonly sources: readonly string[];
}

const enter = <Opened extends object>(
  deps: LogInDeps,
  { clientId, memberId, passwordHash }: Known,
  { email, ip, sources }: Entering,
  open: OpenSession<Opened>,
): Promise<Opened & { client: ClientSummary; member: MemberSummary }> =>
  deps.db.account(clientId).transactional(async (tx) => {
    // Without the lock, a password reset could end all sessions after the password was verified and before this session
    // is inserted.
    const client = await lockClient(tx, clientId);
    const member = await findMemberWithPassword(tx, memberId, passwordHash);
    if (client === undefined || member === undefined) throw new AppError('invalid_credentials');
    if (isInactive(client.status)) throw new AppError('account_inactive');
    if (client.status === 'ONBOARDING') await setStatus(tx, clientId, 'ACTIVE');
    const opened = await open(tx, { clientId, memberId });
    await rememberSources(tx, { emailHash: emailHash(email), sources });
    await addAudit(tx, { clientId, actor: 'client', action: 'login', ip });
    return { ...opened, client: summaryOf({ ...client, status: 'ACTIVE' }), member };
  });
