import { createHash, randomBytes } from 'node:crypto';

export const API_KEY_PREFIX = 'service_key_';

/** 256 random bits: nobody guesses it, so a plain hash keeps it. */
export const newOpaqueToken = (): string => randomBytes(32).toString('base64url');

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
