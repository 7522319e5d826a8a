import { addAudit } from '../queries/add-audit.ts';
import type { AuditActor } from '../tables/audit-log.ts';
import { askForMail } from './ask-for-mail.ts';
import type { AccountDeps, Origin } from './deps.ts';
import { emailHash, type LoginCounter, type LoginTry } from './login-lockout.ts';
import { addressSource } from './login-sources.ts';

interface Tried {
  readonly email: string;
  readonly password: string;
  /** Null when no member has this e-mail. The same steps are taken, so that the response time does not disclose it. */
  readonly known: { readonly id: string; readonly clientId: string; readonly passwordHash: string | null } | null;
  readonly actor: AuditActor;
  readonly ip: string;
}

/**
 * Returns the attempt when the password is correct, or else null. A wrong password is counted and recorded in the audit
 * log; when it locks the account, the owner is notified.
 */
export async function tryPassword(
  { db, passwords, workflows }: Pick<AccountDeps, 'db' | 'passwords' | 'workflows'>,
  counter: LoginCounter,
  { email, password, known, actor, ip }: Tried,
): Promise<LoginTry | null> {
  const attempt = await counter.begin();
  let right: boolean;
  try {
    right = await passwords.verify(known?.passwordHash ?? null, password);
  } catch (error) {
    await attempt.undecided();
    throw error;
  }
  if (right) return attempt;
  const entry = { clientId: known?.clientId ?? null, actor, target: emailHash(email), ip };
  await db.auth().transactional(async (tx) => {
    const locked = await attempt.failed(tx);
    await addAudit(tx, { ...entry, action: 'login_failed' });
    if (!locked) return;
    await addAudit(tx, { ...entry, action: 'login_locked' });
    if (known !== null) await askForMail(tx, workflows, known.clientId, 'login_locked', known.id);
  });
  return null;
}

/**
 * Proves the password of a member who is logged in. It counts as a login attempt, with the same lockout and rate, so that
 * a stolen session cannot be used to guess it. Returns whether it is right.
 */
export async function proveOwnPassword(
  deps: Pick<AccountDeps, 'db' | 'passwords' | 'workflows' | 'loginLockouts' | 'takeFromLoginRate'>,
  {
    known,
    password,
    origin,
  }: {
    readonly known: NonNullable<Tried['known']> & { readonly email: string };
    readonly password: string;
    readonly origin: Origin;
  },
): Promise<boolean> {
  const { email } = known;
  const counter = await deps.loginLockouts.counterOf(email, [addressSource(origin.rateKey)]);
  await deps.takeFromLoginRate(origin.rateKey);
  const attempt = await tryPassword(deps, counter, { email, password, known, actor: 'client', ip: origin.ip });
  await attempt?.succeeded();
  return attempt !== null;
}
