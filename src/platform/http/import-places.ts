import type { Context } from 'koa';
import { AppError } from '../../kernel/errors.ts';
import { createFairPlaces, type FairPlaces } from '../../kernel/fair-places.ts';
import { ClientGone } from './problem.ts';
import type { RequestLimits } from './request-limits.ts';

export interface ImportPlaces {
  /** Waits until the body may be received. Its place is kept until the answer has been read, as its memory is. */
  receive(ctx: Context, clientId: string): Promise<void>;
  /**
   * Runs the work, which reads, checks and stores a body that has arrived, when a place for that is free. Smaller ones
   * come first.
   */
  work<Result>(ctx: Context, clientId: string, run: () => Promise<Result>): Promise<Result>;
}

/** A body of unknown size comes after those of known ones. */
const MAX_SIZE = Number.MAX_SAFE_INTEGER;

/**
 * Limits the imports in progress. A body has up to 32 MiB, and reading, checking and storing it may need ten times its
 * memory. So few are worked on at once, and a place for that is taken only when the body has arrived: a client that sends
 * slowly keeps nobody from working. A body that waits to be received takes no memory here.
 */
export function createImportPlaces({
  importsAtOnce,
  importBodiesAtOnce,
  importWaitMs,
}: Pick<RequestLimits, 'importsAtOnce' | 'importBodiesAtOnce' | 'importWaitMs'>): ImportPlaces {
  const bodies = createFairPlaces({ atOnce: importBodiesAtOnce, each: Math.max(1, importBodiesAtOnce >> 2) });
  const works = createFairPlaces({ atOnce: importsAtOnce, each: Math.max(1, importsAtOnce - 1) });

  const waitFor = async (ctx: Context, places: FairPlaces, clientId: string): Promise<() => void> => {
    const { ready, leave } = places.take(clientId, Number(ctx.req.headers['content-length'] ?? MAX_SIZE));
    const { promise: interrupted, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const detail = 'Other imports are in progress. Nothing of this one was imported; send it again later.';
      reject(new AppError('unavailable', { detail, retryAfterSeconds: Math.ceil(importWaitMs / 1000) }));
    }, importWaitMs);
    const onClose = (): void => reject(new ClientGone());
    ctx.res.once('close', onClose);
    try {
      if (ctx.res.closed) throw new ClientGone();
      await Promise.race([ready, interrupted]);
      return leave;
    } catch (error) {
      leave();
      throw error;
    } finally {
      clearTimeout(timer);
      ctx.res.off('close', onClose);
    }
  };

  return {
    async receive(ctx, clientId) {
      const leave = await waitFor(ctx, bodies, clientId);
      ctx.res.once('close', leave);
      if (ctx.res.closed) leave();
    },
    async work(ctx, clientId, run) {
      const leave = await waitFor(ctx, works, clientId);
      try {
        return await run();
      } finally {
        leave();
      }
    },
  };
}
