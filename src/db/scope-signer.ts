import { hash, hkdfSync } from 'node:crypto';
import type { ScopeSetting } from './entities/tenant-table.ts';

const BLOCK_BYTES = 64;

/** HMAC-SHA256's key, combined with its two constants, as the database keeps it. */
export interface ScopeKey {
  readonly inner: Buffer;
  readonly outer: Buffer;
}

/** Of a serving login's password: its process knows that, and SQL that runs under the login cannot read it. */
export function scopeKeyOf(secret: string): ScopeKey {
  const key = Buffer.alloc(BLOCK_BYTES);
  key.set(new Uint8Array(hkdfSync('sha256', secret, '', 'quita scope', 32)));
  return {
    inner: Buffer.from(key.map((byte) => byte ^ 0x36)),
    outer: Buffer.from(key.map((byte) => byte ^ 0x5c)),
  };
}

export type SignScope = (setting: ScopeSetting, value: string) => string;

/**
 * What a transaction's setting must hold for row security to believe it: the signature in hexadecimal, then the value.
 * By two plain hashes: `createHmac` takes several times as long, and each request signs.
 */
export function createScopeSigner(secret: string): SignScope {
  const { inner, outer } = scopeKeyOf(secret);
  return (setting, value) => {
    const message = hash('sha256', Buffer.concat([inner, Buffer.from(`${setting}:${value}`)]), 'buffer');
    return hash('sha256', Buffer.concat([outer, message]), 'hex') + value;
  };
}
