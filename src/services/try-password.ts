import { addAudit } from '../db/audit.ts';
import type { AuditActor } from '../db/entities/audit-log.ts';
import { emailHash, type LoginCounter, type LoginTry } from '../db/login-lockout.ts';
import { askForMail } from './ask-for-mail.ts';
import type { ServiceDeps } from './deps.ts';

interface Tried {
  readonly email: string;
  readonly password: string;
  /** Null where nobody has this e-mail: the same steps are taken, so that no clock can tell. */
  readonly known: { readonly id: string; readonly passwordHash: string | null } | null;
  readonly actor: AuditActor;
  readonly ip: string;
}

/** The try when the password is right, else null; a wrong one is counted, noted, and told to the owner when it locks. */
export async function tryPassword(
  { db, passwords, workflows }: Pick<ServiceDeps, 'db' | 'passwords' | 'workflows'>,
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
  const told = { clientId: known?.id ?? null, actor, target: emailHash(email), ip };
  await db.auth().transactional(async (em) => {
    const locked = await attempt.failed(em);
    await addAudit(em, { ...told, action: 'login_failed' });
    if (!locked) return;
    await addAudit(em, { ...told, action: 'login_locked' });
    if (known !== null) await askForMail(em, workflows, known.id, 'login_locked');
  });
  return null;
}
