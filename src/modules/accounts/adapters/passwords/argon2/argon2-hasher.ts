import { randomBytes } from 'node:crypto';
import argon2 from 'argon2';
import { AppError } from '../../../../../kernel/errors.ts';
import type { PasswordHasher } from '../../../ports/password-hasher.ts';

export interface Argon2Cost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** The values of OWASP's password storage cheat sheet: argon2id with 19 MiB, 2 iterations and 1 lane. */
export const ARGON2_COST: Argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Two hashes at once use two cores and 38 MiB, and leave threads of libuv's pool for files and DNS. */
const AT_ONCE = 2;
/** About ten seconds of work: a caller does not wait for longer than that. */
const MAX_QUEUE_LENGTH = 500;

export interface Argon2HasherOptions {
  readonly atOnce?: number;
  readonly longestQueue?: number;
  readonly cost?: Argon2Cost;
}

/** Hashes outside the event loop and only a few at a time, so that many logins wait instead of exhausting memory. */
export function createArgon2Hasher(options: Argon2HasherOptions = {}): PasswordHasher {
  const { atOnce = AT_ONCE, longestQueue = MAX_QUEUE_LENGTH, cost = ARGON2_COST } = options;
  const waiting: (() => void)[] = [];
  let running = 0;

  async function runLimited<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= longestQueue) throw new AppError('unavailable', { retryAfterSeconds: 5 });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      // The first caller in the queue takes over this slot, so that no later caller overtakes it.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }

  // Keyboards differ: the same character may arrive as one code point or as several.
  const bytesOf = (password: string): Buffer => Buffer.from(password.normalize('NFKC'));
  const hash = (password: string): Promise<string> => runLimited(() => argon2.hash(bytesOf(password), cost));

  let decoy: Promise<string> | undefined;
  const decoyHash = (): Promise<string> => {
    decoy ??= hash(randomBytes(16).toString('hex'));
    return decoy;
  };
  // Computed at start, so that the first unknown e-mail does not take longer than a known one.
  decoyHash().catch(() => {
    decoy = undefined;
  });

  return {
    hash,
    async verify(known, password) {
      const compared = known ?? (await decoyHash());
      const equal = await runLimited(() => argon2.verify(compared, bytesOf(password)));
      return equal && known !== null;
    },
  };
}
