import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { type CredentialCipher, CredentialCipherError } from '../../../../kernel/ports/credential-cipher.ts';

const FORMAT = 'v1';
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * The first secret seals, and every secret opens. A sealed value is `v1.<key id>.<nonce, tag and ciphertext in
 * base64url>`.
 */
export function createAesGcmCipher(secrets: readonly string[]): CredentialCipher {
  const keys = secrets.map(deriveKey);
  const [current] = keys;
  if (current === undefined) throw new RangeError('a cipher needs at least one secret');

  return {
    seal(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, current.bytes, nonce).setAAD(boundTo(current.id, context));
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      const box = Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
      return `${FORMAT}.${current.id}.${box.toString('base64url')}`;
    },

    open(sealed, context) {
      const [format, keyId, text = '', ...rest] = sealed.split('.');
      const box = Buffer.from(text, 'base64url');
      if (format !== FORMAT || rest.length > 0 || box.length < NONCE_BYTES + TAG_BYTES) {
        throw new CredentialCipherError('unreadable');
      }
      const key = keys.find((one) => one.id === keyId);
      if (key === undefined) throw new CredentialCipherError('unknown_key');
      const nonce = box.subarray(0, NONCE_BYTES);
      const tag = box.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(ALGORITHM, key.bytes, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(key.id, context)).setAuthTag(tag);
      try {
        return decipher.update(box.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        throw new CredentialCipherError('unreadable');
      }
    },

    isCurrent: (sealed) => sealed.startsWith(`${FORMAT}.${current.id}.`),
  };
}

/** The id is derived from the secret too, so that it need not be stored and reveals nothing about the key. */
function deriveKey(secret: string): Key {
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, '', `quita credentials ${purpose}`, length));
  return { id: derive('key id', 6).toString('hex'), bytes: derive('key', 32) };
}

function boundTo(keyId: string, context: string): Buffer {
  return Buffer.from(`${FORMAT}.${keyId}.${context}`, 'utf8');
}
