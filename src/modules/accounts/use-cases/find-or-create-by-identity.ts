import { randomUUID } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { AppError } from '../../../kernel/errors.ts';
import type { MemberRole } from '../../../kernel/member-rights.ts';
import { nameProblems } from '../../../kernel/name-guard.ts';
import { toPlainText } from '../../../kernel/plain-text.ts';
import type { ProvenIdentity } from '../ports/identity-providers.ts';
import { addAudit } from '../queries/add-audit.ts';
import { insertConfirmedClient, isSignUpClosed, lockClient } from '../queries/clients.ts';
import { insertIdentity, MEMBER_OF_IDENTITY } from '../queries/identities.ts';
import { endLocks } from '../queries/login-lockouts.ts';
import { insertMember, setPassword, UNCONFIRMED_MEMBER } from '../queries/members.ts';
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
  deps: Pick<AccountDeps, 'db' | 'passwords' | 'releaseCases' | 'disconnectAll'>,
  { email, ip }: { readonly email: string; readonly ip: string },
): Promise<boolean> {
  const { db, passwords } = deps;
  const [member] = await db.readPrepared({ auth: true }, UNCONFIRMED_MEMBER, { email });
  if (member === undefined) return false;
  const { id: memberId, clientId } = member;
  const unknownPasswordHash = await passwords.hash(newOpaqueToken());
  return db.account(clientId).transactional(async (tx) => {
    await lockClient(tx, clientId);
    const by = { clientId, actor: 'identity_provider', ip } as const;
    if (!(await confirmAddress(tx, by))) return false;
    await setPassword(tx, memberId, unknownPasswordHash);
    await endLocks(tx, emailHash(email));
    await endEarlierAccess(tx, deps, { ...by, memberId, email });
    return true;
  });
}

interface Linked {
  readonly clientId: string;
  /** Of the member. */
  readonly id: string;
  readonly name: string;
  readonly role: MemberRole;
  readonly status: ClientStatus;
  /** Whether the company asks for a second factor, and the member has one here. */
  readonly needsFactor: boolean;
  readonly hasFactor: boolean;
}

type Deps = Pick<
  AccountDeps,
  'db' | 'isPersonalDomain' | 'passwords' | 'releaseCases' | 'disconnectAll' | 'singleClient'
>;

const MAX_NAME_LENGTH = 200;

const RECLAIMED =
  'An account with this e-mail address was opened before the address was confirmed. Its password, API key and sessions were revoked. Reset the password to use the account.';

const LEFT = 'The member of this identity does not work for the company any more.';

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
    linkedOf((await db.readPrepared({ auth: true }, MEMBER_OF_IDENTITY, { issuer, subject }))[0]);
  const linked = await find();
  if (linked !== undefined) return linked;

  const clientId = randomUUID();
  const id = randomUUID();
  const given = toPlainText(identity.name ?? '', MAX_NAME_LENGTH);
  const name = given !== '' && nameProblems(given).length === 0 ? given : email.slice(email.lastIndexOf('@') + 1);
  try {
    await db.account(clientId).transactional(async (tx) => {
      const closed = deps.singleClient && (await isSignUpClosed(tx));
      await insertConfirmedClient(tx, { id: clientId, name, email, plan: PLAN, trialDays: TRIAL_DAYS });
      await insertMember(tx, { id, clientId, email, name, role: 'owner', passwordHash: null });
      // An address that has an account here is refused before, by its constraint: it may still be reclaimed.
      if (closed) throw new AppError('signup_closed');
      await insertIdentity(tx, { clientId, memberId: id, issuer, subject });
      await addAudit(tx, { clientId, actor: 'identity_provider', action: 'identity_linked', target: issuer, ip });
    });
    return { clientId, id, name, role: 'owner', status: 'ACTIVE', needsFactor: false, hasFactor: false };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // A concurrent request with the same token may have created the account.
    const created = await find();
    if (created !== undefined) return created;
    if (await reclaimAddress(deps, { email, ip })) throw new AppError('identity_not_linked', { detail: RECLAIMED });
    throw new AppError('identity_not_linked');
  }
}

/** The identity of a member who left opens neither the company that it worked for nor another one. */
function linkedOf(found: (Linked & { readonly left: boolean }) | undefined): Linked | undefined {
  if (found?.left === true) throw new AppError('identity_not_linked', { detail: LEFT });
  return found;
}

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof UniqueConstraintViolationException ||
  (typeof error === 'object' && error !== null && 'code' in error && error.code === '23505');
