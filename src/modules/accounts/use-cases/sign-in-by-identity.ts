import { AppError } from '../../../kernel/errors.ts';
import type { IdentitySignIn, SignInSecrets } from '../ports/identity-sign-in.ts';
import { addAudit } from '../queries/add-audit.ts';
import { SIGN_IN_MINUTES, SignInRefused } from '../rules/sign-in.ts';
import { isInactive } from './account.ts';
import { challengeLogin } from './answer-challenge.ts';
import { type ConsoleCookie, openConsoleSession } from './console-session.ts';
import type { AccountDeps, Origin } from './deps.ts';
import { findOrCreateByIdentity, identityProblem } from './find-or-create-by-identity.ts';

/** What the browser keeps during a sign-in. */
interface Begun extends SignInSecrets {
  readonly remember: boolean;
  readonly until: number;
}

const CONTEXT = 'sign-in at the identity provider';

const providerOf = ({ identitySignIn }: Pick<AccountDeps, 'identitySignIn'>): IdentitySignIn => {
  if (identitySignIn === null) throw new AppError('not_found');
  return identitySignIn;
};

/** Returns the provider's page, and what the browser has to keep until it comes back. */
export const beginIdentitySignIn =
  (deps: Pick<AccountDeps, 'identitySignIn' | 'cipher' | 'now'>) =>
  async ({ remember }: { readonly remember: boolean }): Promise<{ readonly url: string; readonly kept: string }> => {
    const { url, secrets } = await providerOf(deps).begin();
    const begun: Begun = { ...secrets, remember, until: deps.now().getTime() + SIGN_IN_MINUTES * 60_000 };
    return { url, kept: deps.cipher.seal(JSON.stringify(begun), CONTEXT) };
  };

function openKept({ cipher, now }: Pick<AccountDeps, 'cipher' | 'now'>, kept: string | null): Begun {
  try {
    const begun = JSON.parse(cipher.open(kept ?? '', CONTEXT)) as Begun;
    if (now().getTime() <= begun.until) return begun;
  } catch {
    // A value that this service did not write began no sign-in.
  }
  throw new SignInRefused('sign_in_expired');
}

interface CameBack {
  /** The query that the provider sent the browser back with. */
  readonly query: string;
  readonly kept: string | null;
  readonly origin: Origin;
}

/**
 * Opens a session of the console for the client of the identity. A member with a second factor here, of which the
 * provider proved none, gets a challenge instead. Throws `SignInRefused`.
 */
export const finishIdentitySignIn =
  (
    deps: Pick<
      AccountDeps,
      | 'db'
      | 'accessTokens'
      | 'identitySignIn'
      | 'isPersonalDomain'
      | 'passwords'
      | 'cipher'
      | 'now'
      | 'releaseCases'
      | 'disconnectAll'
      | 'singleClient'
    >,
  ) =>
  async ({ query, kept, origin }: CameBack): Promise<ConsoleCookie | { readonly challenge: string }> => {
    const { ip } = origin;
    const provider = providerOf(deps);
    const { remember, until: _, ...secrets } = openKept(deps, kept);
    const identity = await provider.finish(query, secrets);
    const problem = identityProblem(identity, deps);
    if (problem !== null) throw new SignInRefused(problem);
    const {
      clientId,
      id: memberId,
      status,
      hasFactor,
    } = await findOrCreateByIdentity(deps, identity, ip).catch((error: unknown) => {
      if (error instanceof AppError && (error.code === 'identity_not_linked' || error.code === 'signup_closed')) {
        throw new SignInRefused(error.code);
      }
      throw error;
    });
    if (isInactive(status)) throw new SignInRefused('account_inactive');
    return deps.db.tenant(clientId).transactional(async (tx) => {
      const factorProved = identity.provesFactor;
      if (hasFactor && !factorProved) {
        const waiting = { kind: 'console', remember, knownSource: null } as const;
        return { challenge: await challengeLogin(tx, { clientId, memberId }, waiting) };
      }
      const owner = { clientId, memberId, from: origin, remember, factorProved };
      const { cookie, keptSeconds } = await openConsoleSession(tx, deps, owner);
      await addAudit(tx, {
        clientId,
        actor: 'identity_provider',
        action: 'login',
        target: identity.issuer,
        ip,
        memberId,
      });
      return { cookie, keptSeconds };
    });
  };
