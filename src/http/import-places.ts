import { E_TIMEOUT, Semaphore, withTimeout } from 'async-mutex';
import { AppError } from '../domain/errors.ts';
import type { RequestLimits } from './request-limits.ts';

export interface ImportPlaces {
  /** Waits for a place and takes it. The returned function gives the place back; further calls of it do nothing. */
  take(clientId: string): Promise<() => void>;
}

/**
 * Limits the imports that run at the same time. An import may need ten times its 32 MiB of memory while it is read,
 * checked, stored and answered. The others wait before their bodies are read, so a waiting body takes no memory here.
 *
 * A client with more imports, running or waiting, has a lower priority, so that it does not block the other clients.
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
        const detail = 'Other imports are in progress. Nothing of this one was read; send it again later.';
        throw new AppError('unavailable', { detail, retryAfterSeconds: Math.ceil(importWaitMs / 1000) });
      }
    },
  };
}
