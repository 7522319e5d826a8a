import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../kernel/errors.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import {
  CLEAR_FAILURES,
  countFailure,
  LOGIN_COUNTER,
  LOGIN_LOCK,
  RELEASE_TRY,
  RESERVE_TRY,
} from '../queries/login-lockouts.ts';

/** How long a try waits for a place while other tries for the same counter are in progress. */
const PATIENCE_MS = 20_000;

/** The hash stands for the e-mail in the tables and in the audit log. */
export const emailHash = (email: string): string => createHash('sha256').update(`email:${email}`).digest('base64url');

/** One try at a password. The caller calls exactly one of the methods. */
export interface LoginTry {
  /** Counts the failure in the transaction of `tx`, and returns whether it locked the counter. */
  failed(tx: Tx): Promise<boolean>;
  succeeded(): Promise<void>;
  /** Gives the place back when the password could not be verified. */
  undecided(): Promise<void>;
}

/** Counts wrong passwords in a row for an e-mail from a known source, or from all other sources together. */
export interface LoginCounter {
  /** The known one of the given sources, or null when none is known. */
  readonly source: string | null;
  /** Waits while the tries in progress could lock the counter if all of them failed. Throws `account_locked`. */
  begin(): Promise<LoginTry>;
}

export interface LoginLockouts {
  /** The sources are hashes, and the narrowest comes first. Throws `account_locked`. */
  counterOf(email: string, sources: readonly string[]): Promise<LoginCounter>;
}

/** Limits the wrong tries in a row at a counter over all instances, however many come at the same time. */
export function createLoginLockouts(db: Pick<Database, 'readPrepared' | 'writePrepared'>): LoginLockouts {
  const refuse = (seconds: number): never => {
    throw new AppError('account_locked', { retryAfterSeconds: Math.max(1, seconds) });
  };

  const reserve = async (key: string): Promise<string> => {
    const deadline = performance.now() + PATIENCE_MS;
    for (let waitMs = 10; ; waitMs = Math.min(waitMs * 2, 100)) {
      const [place] = await db.writePrepared({ auth: true }, RESERVE_TRY, { key });
      if (place !== undefined) return place.lease;
      const [locked] = await db.readPrepared({ auth: true }, LOGIN_LOCK, { key });
      if (locked !== undefined) refuse(locked.seconds);
      if (performance.now() > deadline) throw new AppError('unavailable', { retryAfterSeconds: 1 });
      await pause(waitMs * (1 + Math.random()));
    }
  };

  return {
    async counterOf(email, sources) {
      const [found] = await db.readPrepared({ auth: true }, LOGIN_COUNTER, { emailHash: emailHash(email), sources });
      const { key, source, seconds } = found!;
      if (seconds !== null) refuse(seconds);
      return {
        source,
        async begin() {
          const reserved = { key, lease: await reserve(key) };
          return {
            failed: async (tx) => (await countFailure(tx, reserved))?.locked === true,
            succeeded: async () => void (await db.writePrepared({ auth: true }, CLEAR_FAILURES, reserved)),
            undecided: async () => void (await db.writePrepared({ auth: true }, RELEASE_TRY, reserved)),
          };
        },
      };
    },
  };
}
