import { Readable } from 'node:stream';
import type { Middleware } from 'koa';
import type { RequestLimits } from './request-limits.ts';

/**
 * Closes the connection of a client that does not read its answer: at once when it has read nothing for a time, and in
 * any case when it is slower than the slowest rate. An answer that nobody reads would stay in memory for ever.
 */
export const limitUnreadAnswers =
  ({ answerIdleMs, answerBytesPerSecond, streamMs }: RequestLimits): Middleware =>
  async (ctx, next) => {
    await next();
    const { res } = ctx;
    if (res.closed) return;
    const body: unknown = ctx.body;
    const isStream = body instanceof Readable && ctx.length === undefined;
    const ms = isStream ? streamMs : answerIdleMs + ((ctx.length ?? 0) * 1_000) / answerBytesPerSecond;
    const timer = setTimeout(() => ctx.req.socket.destroy(), ms);
    // Node counts a written byte as activity. The next request of the connection sets another limit.
    res.setTimeout(answerIdleMs, () => ctx.req.socket.destroy());
    res.once('close', () => clearTimeout(timer));
  };
