/** What a login opens: a program's session with a refresh token, or the console's with a cookie. */
export const LOGIN_KINDS = ['program', 'console'] as const;
export type LoginKind = (typeof LOGIN_KINDS)[number];

export const CHALLENGE_MINUTES = 5;
export const CHALLENGE_TRIES = 5;
export const STEP_UP_MINUTES = 5;
export const RECOVERY_CODES = 10;

/** So many codes an hour are tried for a member from a source that is not known, and for each that is. */
export const CODES_PER_HOUR = 20;

/**
 * Methods of authentication (RFC 8176, and the names of large providers) that are more than a password. A provider that
 * names none of them has asked for a password alone, as far as anybody knows.
 */
const STRONG_METHODS: ReadonlySet<string> = new Set(['mfa', 'otp', 'hwk', 'swk', 'sc', 'fido', 'ngcmfa']);

export const provesFactor = (methods: unknown): boolean =>
  Array.isArray(methods) && methods.some((method) => typeof method === 'string' && STRONG_METHODS.has(method));

/** A code as a person types it: spaces, hyphens and lower case are forgiven. */
export const normaliseCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toUpperCase();

const CODE_OF_APP = /^\d{6}$/;
export const isCodeOfApp = (normalised: string): boolean => CODE_OF_APP.test(normalised);
