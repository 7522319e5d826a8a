import { createHash } from 'node:crypto';

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The rate key is an IPv4 address, or the /64 network of an IPv6 address. */
export const addressSource = (rateKey: string): string => hash(`address:${rateKey}`);
export const deviceSource = (token: string): string => hash(`device:${token}`);
