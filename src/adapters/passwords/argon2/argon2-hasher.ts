import { randomBytes } from 'node:crypto';
import argon2 from 'argon2';
import { AppError } from '../../../domain/errors.ts';
import type { PasswordHasher } from '../../../ports/password-hasher.ts';

/** OWASP's password storage cheat sheet: argon2id with 19 MiB, 2 rounds, 1 lane. */
export const ARGON2_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Two at once use two cores and 38 MiB, and leave threads of the pool to files and names. */
const AT_ONCE = 2;
/** About ten seconds of work: who would wait longer has gone. */
const LONGEST_QUEUE = 500;

export interface Argon2HasherOptions {
  readonly atOnce?: number;
  readonly longestQueue?: number;
}

/** Hashes off the event loop, a few at a time, so that a flood of logins costs patience and not memory. */
export function createArgon2Hasher(options: Argon2HasherOptions = {}): PasswordHasher {
  const { atOnce = AT_ONCE, longestQueue = LONGEST_QUEUE } = options;
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= longestQueue) throw new AppError('unavailable', { retryAfterSeconds: 5 });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      // A waiting one takes over this place, so that no newcomer overtakes it.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }

  // The same character can be typed as one code point or as several; keyboards differ.
  const bytesOf = (password: string): Buffer => Buffer.from(password.normalize('NFKC'));
  const hash = (password: string): Promise<string> => inTurn(() => argon2.hash(bytesOf(password), ARGON2_OPTIONS));

  let nobodys: Promise<string> | undefined;
  const hashOfNobody = (): Promise<string> => {
    nobodys ??= hash(randomBytes(16).toString('hex'));
    return nobodys;
  };
  // Now, so that the first unknown e-mail does not take longer than a known one.
  hashOfNobody().catch(() => {
    nobodys = undefined;
  });

  return {
    hash,
    async verify(known, password) {
      const compared = known ?? (await hashOfNobody());
      const equal = await inTurn(() => argon2.verify(compared, bytesOf(password)));
      return equal && known !== null;
    },
  };
}
