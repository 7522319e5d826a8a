import { AppError } from '../../kernel/errors.ts';
import type { OnBytes } from './received-bytes.ts';

interface BudgetOptions {
  /** The most bytes of all bodies together. */
  readonly total: number;
  /** The most bytes of the bodies of one address or client. */
  readonly each: number;
}

export interface HeldBytes {
  /** Throws `unavailable` when the bytes would be too many. */
  readonly take: OnBytes;
  /** Gives all bytes back; further calls do nothing. */
  release(): void;
}

/** Counts nothing. */
export const UNLIMITED: HeldBytes = { take: () => undefined, release: () => undefined };

export type ByteBudget = (key: string) => HeldBytes;

const RETRY_AFTER_SECONDS = 2;

/**
 * Limits how many bytes of request bodies are in memory at once. Bytes count when they arrive and not when they are
 * announced, so that a client that announces much and sends nothing takes nothing from others.
 */
export function createByteBudget({ total, each }: BudgetOptions): ByteBudget {
  let inFlight = 0;
  const ofKey = new Map<string, number>();
  return (key) => {
    let held = 0;
    return {
      take(bytes) {
        const own = (ofKey.get(key) ?? 0) + bytes;
        if (inFlight + bytes > total || own > each) {
          const detail = 'Too many request bodies are being received. Send this one again later.';
          throw new AppError('unavailable', { detail, retryAfterSeconds: RETRY_AFTER_SECONDS });
        }
        inFlight += bytes;
        held += bytes;
        ofKey.set(key, own);
      },
      release() {
        inFlight -= held;
        const left = (ofKey.get(key) ?? 0) - held;
        if (left > 0) ofKey.set(key, left);
        else ofKey.delete(key);
        held = 0;
      },
    };
  };
}
