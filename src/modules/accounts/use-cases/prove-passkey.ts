import { AppError } from '../../../kernel/errors.ts';
import type { Question, SignedResponse } from '../ports/passkeys.ts';
import { addAudit } from '../queries/add-audit.ts';
import { INSERT_PASSKEY_CHALLENGE, USE_PASSKEY_CHALLENGE } from '../queries/passkey-challenges.ts';
import { PASSKEY } from '../queries/passkeys.ts';
import type { SessionOwner } from '../queries/sessions.ts';
import { PASSKEY_MINUTES, type PasskeyPurpose } from '../rules/passkeys.ts';
import { askForMail, mayNotify } from './ask-for-mail.ts';
import type { AccountDeps } from './deps.ts';
import { hashToken } from './opaque-token.ts';

/** What a passkey has signed, and for which challenge. */
export interface PasskeyAnswer {
  readonly challenge: string;
  readonly response: SignedResponse;
}

export const wrongPasskey = (): AppError =>
  new AppError('invalid_credentials', { detail: 'The passkey is not known here, or its answer is not right.' });

export const endedChallenge = (): AppError =>
  new AppError('token_invalid', {
    detail: 'The challenge has ended, or was made for something else. Ask for another.',
  });

/** Keeps what an answer of a passkey will have to be for. */
export async function keepQuestion(
  { db }: Pick<AccountDeps, 'db'>,
  { challenge, options }: Question,
  purpose: PasskeyPurpose,
  boundTo: string | null,
): Promise<Question> {
  const kept = { challengeHash: hashToken(challenge), purpose, boundTo, minutes: PASSKEY_MINUTES };
  await db.writePrepared({ auth: true }, INSERT_PASSKEY_CHALLENGE, kept);
  return { challenge, options };
}

/** Ends a challenge, whether its answer turns out right or wrong. Returns undefined when there is no such challenge. */
export async function useChallenge(
  { db }: Pick<AccountDeps, 'db'>,
  challenge: string,
  purposes: readonly PasskeyPurpose[],
): Promise<{ readonly purpose: PasskeyPurpose; readonly boundTo: string | null } | undefined> {
  const [used] = await db.writePrepared({ auth: true }, USE_PASSKEY_CHALLENGE, {
    challengeHash: hashToken(challenge),
    purposes,
  });
  return used;
}

interface Asked {
  readonly ip: string;
  /** The member that has to answer; null when the passkey says who logs in. */
  readonly owner: SessionOwner | null;
}

/**
 * Finds the passkey of an answer and checks its signature. Whoever logs in by the passkey alone has to be named by it too.
 * What is refused is recorded.
 */
export async function readPasskey(
  { db, passkeys }: Pick<AccountDeps, 'db' | 'passkeys'>,
  { challenge, response }: PasskeyAnswer,
  { ip, owner }: Asked,
) {
  const [known] = await db.readPrepared({ auth: true }, PASSKEY, { credentialId: response.id });
  if (known !== undefined && (owner === null || owner.memberId === known.memberId)) {
    const handle = response.response.userHandle ?? null;
    const isNamed = handle === null ? owner !== null : handle === passkeys.handleOf(known.memberId);
    const signed = isNamed ? await passkeys.readSignature(response, challenge, known.publicKey) : null;
    if (signed !== null) return { ...known, signed };
  }
  const asked = owner ?? known ?? null;
  const refused =
    asked === null
      ? ({ clientId: null, actor: 'anonymous', action: 'login_failed' } as const)
      : ({
          clientId: asked.clientId,
          actor: 'client',
          action: 'second_factor_failed',
          target: asked.memberId,
        } as const);
  await db.auth().transactional((tx) => addAudit(tx, { ...refused, ip }));
  throw wrongPasskey();
}

/** Refuses a passkey whose counter did not go on, and tells its member: somebody may have a copy of the key. */
export async function refuseCopy(
  deps: Pick<AccountDeps, 'db' | 'takeFromMailRate' | 'workflows'>,
  { clientId, memberId, id }: { readonly clientId: string; readonly memberId: string; readonly id: string },
  ip: string,
): Promise<never> {
  const notify = await mayNotify(deps, memberId, 'passkey_copy_refused');
  await deps.db.account(clientId).transactional(async (tx) => {
    await addAudit(tx, { clientId, actor: 'client', action: 'passkey_copy_refused', target: id, ip });
    if (notify) await askForMail(tx, deps.workflows, clientId, 'passkey_copy_refused', memberId);
  });
  throw wrongPasskey();
}
