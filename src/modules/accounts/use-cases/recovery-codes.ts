import { randomBytes } from 'node:crypto';
import type { Tx } from '../../../platform/database/tx.ts';
import { replaceRecoveryCodes } from '../queries/second-factors.ts';
import type { SessionOwner } from '../queries/sessions.ts';
import { normaliseCode, RECOVERY_CODES } from '../rules/second-factor.ts';
import { recoveryCodeHash } from './prove-factor.ts';

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CODE_LENGTH = 24;

/** Twenty-four of 32 characters that are seldom mistaken for each other: 120 bits. The app's codes have six. */
const newRecoveryCode = (): string => {
  const characters = [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return characters.replaceAll(/.{4}(?=.)/g, '$&-');
};

/** Returns new codes, of which hashes are kept, in place of those that the member had. */
export async function giveRecoveryCodes(tx: Tx, owner: SessionOwner): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  const hashes = codes.map((code) => recoveryCodeHash(owner.memberId, normaliseCode(code)));
  await replaceRecoveryCodes(tx, owner, hashes);
  return codes;
}
