import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import type { EvidenceKey } from './verify-pack.ts';

/** A key of the configuration: the day from which it signs, and the secret of which it is made. */
export interface GivenKey {
  readonly from: string;
  readonly secret: string;
}

/** How RFC 8410 wraps the 32 bytes of a private key. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

const seedOf = (secret: string): Buffer => createHash('sha256').update(`quita evidence key: ${secret}`).digest();

interface SigningKey extends EvidenceKey {
  readonly privateKey: KeyObject;
}

/** In the order of their time. Each signs until the next one does. */
function keysOf(given: readonly GivenKey[]): SigningKey[] {
  const ordered = given.toSorted((one, other) => Date.parse(one.from) - Date.parse(other.from));
  return ordered.map(({ from, secret }, place) => {
    const der = Buffer.concat([PKCS8_HEAD, seedOf(secret)]);
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
    // The thumbprint of RFC 7638.
    const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
    const next = ordered[place + 1];
    return {
      kid,
      x,
      from: new Date(from).toISOString(),
      ...(next === undefined ? {} : { until: new Date(next.from).toISOString() }),
      privateKey,
    };
  });
}

export interface EvidenceKeys {
  readonly published: readonly EvidenceKey[];
  /** The key that signs at a moment; throws `unavailable` when there is none. */
  signerAt(moment: Date): { readonly kid: string; sign(bytes: Uint8Array): string };
}

export function createEvidenceKeys(given: readonly GivenKey[]): EvidenceKeys {
  const keys = keysOf(given);
  return {
    published: keys.map(({ privateKey: _, ...shown }) => shown),
    signerAt(moment) {
      const key = keys.findLast(({ from }) => Date.parse(from) <= moment.getTime());
      if (key === undefined) throw new AppError('unavailable', { detail: 'No key signs evidence: set EVIDENCE_KEYS.' });
      return { kid: key.kid, sign: (bytes) => sign(null, bytes, key.privateKey).toString('base64url') };
    },
  };
}

/** The keys as a JWK set (RFC 8037), with the time of each. */
export const jwkSetOf = ({ published }: EvidenceKeys) => ({
  keys: published.map((key) => ({
    kty: 'OKP' as const,
    crv: 'Ed25519' as const,
    use: 'sig' as const,
    alg: 'EdDSA' as const,
    ...key,
  })),
});
