import { hash, hkdfSync } from 'node:crypto';
import type { ScopeSetting } from './tables/tenant-table.ts';

const BLOCK_BYTES = 64;

/** The key of HMAC-SHA256, combined with its two constants, as the database stores it. */
export interface ScopeKey {
  readonly inner: Buffer;
  readonly outer: Buffer;
}

/** Derives the key from the password of a serving login. SQL that runs under the login cannot read that password. */
export function scopeKeyOf(secret: string): ScopeKey {
  const key = Buffer.alloc(BLOCK_BYTES);
  key.set(new Uint8Array(hkdfSync('sha256', secret, '', 'quita scope', 32)));
  return {
    inner: Buffer.from(key.map((byte) => byte ^ 0x36)),
    outer: Buffer.from(key.map((byte) => byte ^ 0x5c)),
  };
}

export type SignScope = (setting: ScopeSetting, value: string, transaction: string) => string;

/**
 * Creates what row security expects in a transaction's setting: the signature in hexadecimal and then the value. The
 * signature holds for that transaction alone. It uses two plain hashes, because `createHmac` takes several times as long and each request signs.
 */
export function createScopeSigner(secret: string): SignScope {
  const { inner, outer } = scopeKeyOf(secret);
  return (setting, value, transaction) => {
    const message = hash('sha256', Buffer.concat([inner, Buffer.from(`${setting}:${transaction}:${value}`)]), 'buffer');
    return hash('sha256', Buffer.concat([outer, message]), 'hex') + value;
  };
}
