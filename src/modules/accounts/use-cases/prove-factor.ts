import { createHash } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addAudit } from '../queries/add-audit.ts';
import { findSecondFactor, sealAgain, useRecoveryCode, useStep } from '../queries/second-factors.ts';
import type { SessionOwner } from '../queries/sessions.ts';
import { isCodeOfApp, normaliseCode } from '../rules/second-factor.ts';
import type { AccountDeps } from './deps.ts';

/** A sealed secret is bound to its member, so that a row cannot lend it to another one. */
export const secretContext = (memberId: string): string => `second factor of member ${memberId}`;

/** A recovery code has 120 random bits, so an unsalted fast hash is enough to store it. */
export const recoveryCodeHash = (memberId: string, normalised: string): string =>
  createHash('sha256').update(`recovery:${memberId}:${normalised}`).digest('base64url');

export const wrongCode = (): AppError =>
  new AppError('invalid_credentials', { detail: 'The code is wrong, or was used before.' });

interface Typed extends SessionOwner {
  readonly code: string;
  readonly ip: string;
}

/**
 * Uses up a code of the member's app or a recovery code, in the caller's transaction. Returns false for a wrong or used
 * one, which is recorded; the caller commits, and then refuses.
 */
export async function proveFactor(
  tx: Tx,
  deps: Pick<AccountDeps, 'cipher' | 'oneTimeCodes'>,
  { clientId, memberId, code, ip }: Typed,
): Promise<boolean> {
  const typed = normaliseCode(code);
  const entry = { clientId, actor: 'client', target: memberId, ip } as const;
  if (isCodeOfApp(typed) && (await useCodeOfApp(tx, deps, memberId, typed))) return true;
  if (!isCodeOfApp(typed) && (await useRecoveryCode(tx, memberId, recoveryCodeHash(memberId, typed))) !== undefined) {
    await addAudit(tx, { ...entry, action: 'recovery_code_used' });
    return true;
  }
  await addAudit(tx, { ...entry, action: 'second_factor_failed' });
  return false;
}

async function useCodeOfApp(
  tx: Tx,
  { cipher, oneTimeCodes }: Pick<AccountDeps, 'cipher' | 'oneTimeCodes'>,
  memberId: string,
  code: string,
): Promise<boolean> {
  const { sealed = null, lastStep = 0 } = (await findSecondFactor(tx, memberId)) ?? {};
  if (sealed === null) return false;
  const context = secretContext(memberId);
  const secret = cipher.open(sealed, context);
  const step = oneTimeCodes.stepOf(secret, code, lastStep);
  if (step === null || (await useStep(tx, memberId, sealed, step)) === undefined) return false;
  if (!cipher.isCurrent(sealed)) await sealAgain(tx, memberId, sealed, cipher.seal(secret, context));
  return true;
}
