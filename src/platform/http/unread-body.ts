import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Middleware } from 'koa';
import { hasBody } from './body.ts';

interface Limits {
  readonly bytes: number;
  readonly ms: number;
}

const LIMITS: Limits = { bytes: 64 * 1024 * 1024, ms: 10_000 };

const WITHOUT_BODY = new Set([204, 205, 304]);

const REQUEST_TIMEOUT = 408;
/** A client that was too slow only gets enough time to read the answer. */
const LATE_MS = 1_000;

/** Reads and drops what the client still sends. Resolves when the client has stopped, or when a limit is reached. */
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
 * Writes an answer that is ready before the whole body has arrived (usually a refusal) at once, but closes the
 * connection only after the rest of the body was read. Closing it earlier would reset the connection, and a client that
 * is still writing would see the reset instead of the answer.
 */
export const answerWhileClientSends =
  (limits: Limits = LIMITS): Middleware =>
  async (ctx, next) => {
    await next();
    const { req } = ctx;
    if (req.complete || req.destroyed || !hasBody(ctx) || ctx.body instanceof Readable) return;
    const drained = drain(
      req,
      ctx.status === REQUEST_TIMEOUT ? { ...limits, ms: Math.min(limits.ms, LATE_MS) } : limits,
    );
    const close = () => {
      // A limit was reached, and only closing the connection stops a client that never stops sending.
      if (!req.complete) req.socket.destroySoon();
    };
    if (ctx.method === 'HEAD' || WITHOUT_BODY.has(ctx.status)) {
      // These answers have no body, so the head is sent before the rest of the request is read.
      ctx.flushHeaders();
      await drained;
      close();
      return;
    }
    const answer: unknown = ctx.body;
    const payload =
      typeof answer === 'string' ? Buffer.from(answer) : Buffer.isBuffer(answer) ? answer : Buffer.alloc(0);
    const type = ctx.response.get('Content-Type') as string | undefined;
    const status = ctx.status;
    ctx.body = Readable.from(
      (async function* () {
        if (payload.length > 0) yield payload;
        await drained;
        close();
      })(),
      { objectMode: false },
    );
    ctx.status = status;
    if (type === undefined || type === '') ctx.remove('Content-Type');
    else ctx.set('Content-Type', type);
    ctx.length = payload.length;
  };
