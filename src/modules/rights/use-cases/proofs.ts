import { createHmac, timingSafeEqual } from 'node:crypto';

/** How long the page stays open after the digits were right. */
const PROOF_SECONDS = 30 * 60;

/** That somebody knew the digits of a page a short while ago. The address of the page carries it, and its forms. */
export interface Proofs {
  make(token: string, now: number): string;
  isGood(token: string, proof: string, now: number): boolean;
}

/** The first secret signs and all of them verify, so that a rotation closes no page. */
export function createProofs(secrets: readonly string[]): Proofs {
  const [current] = secrets;
  if (current === undefined) throw new Error('A secret is required to sign proofs.');
  const sign = (secret: string, token: string, ends: string): Buffer =>
    createHmac('sha256', secret).update(`rights:${token}:${ends}`).digest();
  return {
    make(token, now) {
      const ends = (Math.floor(now / 1_000) + PROOF_SECONDS).toString(36);
      return `${ends}.${sign(current, token, ends).toString('base64url')}`;
    },
    isGood(token, proof, now) {
      const [, ends, signature] = /^([0-9a-z]{6,8})\.([A-Za-z0-9_-]{43})$/.exec(proof) ?? [];
      if (ends === undefined || signature === undefined) return false;
      const given = Buffer.from(signature, 'base64url');
      const isSigned = secrets
        .map((secret) => timingSafeEqual(given, sign(secret, token, ends)))
        .some((equal) => equal);
      return isSigned && now / 1_000 < Number.parseInt(ends, 36);
    },
  };
}
