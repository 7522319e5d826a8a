import { randomUUID } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { AppError } from '../../../kernel/errors.ts';
import { nameProblems } from '../../../kernel/name-guard.ts';
import { toPlainText } from '../../../kernel/plain-text.ts';
import type { ProvenIdentity } from '../ports/identity-providers.ts';
import { addAudit } from '../queries/add-audit.ts';
import { insertConfirmedClient, lockClient, setPassword, UNCONFIRMED_CLIENT } from '../queries/clients.ts';
import { CLIENT_OF_IDENTITY, insertIdentity } from '../queries/identities.ts';
import { endLocks } from '../queries/login-lockouts.ts';
import { corporateEmailProblem, normaliseEmail } from '../rules/corporate-email.ts';
import { PLAN, TRIAL_DAYS } from '../rules/pricing-plan.ts';
import type { ClientStatus } from '../tables/client.ts';
import { confirmAddress, endEarlierAccess } from './confirm-address.ts';
import type { AccountDeps } from './deps.ts';
import { emailHash } from './login-lockout.ts';
import { newOpaqueToken } from './opaque-token.ts';

/**
 * Handles an identity provider's proof of an address that has an unconfirmed account, which another person may have
 * opened. The address becomes confirmed, and the sessions, the API key and the password are revoked, because that
 * person could come back with any of them. The identity is not linked: the owner enters by a password reset. Returns
 * whether an account was reclaimed.
 */
async function reclaimAddress(
  { db, passwords }: Pick<AccountDeps, 'db' | 'passwords'>,
  { email, ip }: { readonly email: string; readonly ip: string },
): Promise<boolean> {
  const [client] = await db.readPrepared({ auth: true }, UNCONFIRMED_CLIENT, { email });
  if (client === undefined) return false;
  const clientId = client.id;
  const unknownPasswordHash = await passwords.hash(newOpaqueToken());
  return db.account(clientId).transactional(async (tx) => {
    await lockClient(tx, clientId);
    const by = { clientId, actor: 'identity_provider', ip } as const;
    if (!(await confirmAddress(tx, by))) return false;
    await setPassword(tx, clientId, unknownPasswordHash);
    await endLocks(tx, emailHash(email));
    await endEarlierAccess(tx, { ...by, email });
    return true;
  });
}

interface Linked {
  readonly id: string;
  readonly status: ClientStatus;
}

type Deps = Pick<AccountDeps, 'db' | 'isPersonalDomain' | 'passwords'>;

const MAX_NAME_LENGTH = 200;

const RECLAIMED =
  'An account with this e-mail address was opened before the address was confirmed. Its password, API key and sessions were revoked. Reset the password to use the account.';

/** Returns why the identity can have no account here. */
export function identityProblem(
  { email, emailVerified }: ProvenIdentity,
  { isPersonalDomain }: Pick<AccountDeps, 'isPersonalDomain'>,
): 'email_unverified' | 'email_not_corporate' | null {
  const normalised = normaliseEmail(email);
  if (normalised === null || !emailVerified) return 'email_unverified';
  return corporateEmailProblem(normalised, isPersonalDomain) === null ? null : 'email_not_corporate';
}

const PROBLEM_DETAILS = {
  email_unverified: 'The identity provider does not vouch for an e-mail address.',
  email_not_corporate: 'The e-mail address is not a corporate one.',
} as const;

/**
 * An identity is never linked by e-mail, because a person who controls an address at a provider would then own the
 * account that has it here.
 */
export async function findOrCreateByIdentity(deps: Deps, identity: ProvenIdentity, ip: string): Promise<Linked> {
  const { db } = deps;
  const { issuer, subject } = identity;
  const problem = identityProblem(identity, deps);
  const email = normaliseEmail(identity.email);
  if (problem !== null || email === null) {
    throw new AppError('token_invalid', { detail: PROBLEM_DETAILS[problem ?? 'email_unverified'] });
  }

  const find = async (): Promise<Linked | undefined> =>
    (await db.readPrepared({ auth: true }, CLIENT_OF_IDENTITY, { issuer, subject }))[0];
  const linked = await find();
  if (linked !== undefined) return linked;

  const id = randomUUID();
  const given = toPlainText(identity.name ?? '', MAX_NAME_LENGTH);
  const name = given !== '' && nameProblems(given).length === 0 ? given : email.slice(email.lastIndexOf('@') + 1);
  try {
    await db.tenant(id).transactional(async (tx) => {
      await insertConfirmedClient(tx, { id, name, email, plan: PLAN, trialDays: TRIAL_DAYS });
      await insertIdentity(tx, { clientId: id, issuer, subject });
      await addAudit(tx, { clientId: id, actor: 'identity_provider', action: 'identity_linked', target: issuer, ip });
    });
    return { id, status: 'ACTIVE' };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // A concurrent request with the same token may have created the account.
    const created = await find();
    if (created !== undefined) return created;
    if (await reclaimAddress(deps, { email, ip })) throw new AppError('identity_not_linked', { detail: RECLAIMED });
    throw new AppError('identity_not_linked');
  }
}

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof UniqueConstraintViolationException ||
  (typeof error === 'object' && error !== null && 'code' in error && error.code === '23505');
