import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Middleware } from 'koa';
import { hasBody } from './body.ts';

interface Limits {
  readonly bytes: number;
  readonly ms: number;
}

const LIMITS: Limits = { bytes: 64 * 1024 * 1024, ms: 10_000 };

/** Reads and drops what the client still sends; resolves when it stopped, or when its time or room is used up. */
function drain(request: IncomingMessage, limits: Limits): Promise<void> {
  return new Promise((resolve) => {
    let dropped = 0;
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(finish, limits.ms);
    request.on('data', (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > limits.bytes) finish();
    });
    request.once('end', finish).once('close', finish).once('error', finish);
    request.unpipe();
    request.resume();
  });
}

/**
 * An answer that was ready before the whole body had come (a refusal, mostly) is written at once, but the
 * connection is closed only after the rest was read: closing it earlier would reset it, and the client,
 * busy writing, would see the reset and never the answer.
 */
export const answerWhileClientSends =
  (limits: Limits = LIMITS): Middleware =>
  async (ctx, next) => {
    await next();
    const { req } = ctx;
    if (req.complete || req.destroyed || !hasBody(ctx) || ctx.body instanceof Readable) return;
    const answer: unknown = ctx.body;
    const payload =
      typeof answer === 'string' ? Buffer.from(answer) : Buffer.isBuffer(answer) ? answer : Buffer.alloc(0);
    const type = ctx.response.get('Content-Type');
    const status = ctx.status;
    const drained = drain(req, limits);
    ctx.body = Readable.from(
      (async function* () {
        if (payload.length > 0) yield payload;
        await drained;
        // More than we are willing to read: only closing stops a client that never stops sending.
        if (!req.complete) req.socket.destroySoon();
      })(),
      { objectMode: false },
    );
    ctx.status = status;
    if (type === '') ctx.remove('Content-Type');
    else ctx.set('Content-Type', type);
    ctx.length = payload.length;
  };
