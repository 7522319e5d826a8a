import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares two texts of any length in constant time. */
export const isSameSecret = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
