import { createHash, randomBytes } from 'node:crypto';

export const API_KEY_PREFIX = 'service_key_';

/** A token has 256 random bits and cannot be guessed, so an unsalted fast hash is enough to store it. */
export const newOpaqueToken = (): string => randomBytes(32).toString('base64url');

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
