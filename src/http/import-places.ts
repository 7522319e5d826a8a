import { E_TIMEOUT, Semaphore, withTimeout } from 'async-mutex';
import { AppError } from '../domain/errors.ts';
import type { RequestLimits } from './request-limits.ts';

export interface ImportPlaces {
  /** Waits for a place and takes it. What is returned gives it back; more than one call of it changes nothing. */
  take(clientId: string): Promise<() => void>;
}

/**
 * An import may hold ten times its 32 MiB while it is read, checked, stored and answered, so few are worked on at a
 * time. The others wait before their bodies are read: what a waiting client sends stays in its own memory and network.
 *
 * Whoever has more imports here (held or waiting) comes later, so that one client with many does not keep out the rest.
 */
export function createImportPlaces({
  importsAtOnce,
  importWaitMs,
}: Pick<RequestLimits, 'importsAtOnce' | 'importWaitMs'>): ImportPlaces {
  const places = withTimeout(new Semaphore(importsAtOnce), importWaitMs);
  const present = new Map<string, number>();
  const leave = (clientId: string): void => {
    const left = present.get(clientId)! - 1;
    if (left === 0) present.delete(clientId);
    else present.set(clientId, left);
  };

  return {
    async take(clientId) {
      const before = present.get(clientId) ?? 0;
      present.set(clientId, before + 1);
      try {
        const [, release] = await places.acquire(1, -before);
        let held = true;
        return () => {
          if (!held) return;
          held = false;
          leave(clientId);
          release();
        };
      } catch (thrown) {
        leave(clientId);
        if (thrown !== E_TIMEOUT) throw thrown;
        const detail = 'Other imports are being worked on. Nothing of this one was read; send it again later.';
        throw new AppError('unavailable', { detail, retryAfterSeconds: Math.ceil(importWaitMs / 1000) });
      }
    },
  };
}
