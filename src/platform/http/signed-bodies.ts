import type { Context } from 'koa';
import { AppError } from '../../kernel/errors.ts';
import { rateKey } from './client-ip.ts';
import type { RouteRequest } from './define-route.ts';
import type { HttpConfig } from './deps.ts';
import { refuseUngranted } from './rate-limit.ts';
import { createTokenBuckets } from './token-buckets.ts';

/** A body of this size costs as much as any other request. Channels' requests are rarely larger. */
const SMALL_BODY = 64 * 1024;

/** Serves a request with a signed body. */
export type SignedBodies = (
  ctx: Context,
  checkHead: (request: RouteRequest) => void,
  request: RouteRequest,
  serve: () => Promise<void>,
) => Promise<void>;

/**
 * Notifications have no rate. Only large bodies of an address that sends wrong signatures do, because reading them costs
 * more: each wrong signature counts, that of a large body as many. Small bodies are always read and answered by their
 * signature: the address may be that of a proxy, behind which a forger must not keep the channel from being heard.
 */
export function createSignedBodies({ publicRatePerMinute }: Pick<HttpConfig, 'publicRatePerMinute'>): SignedBodies {
  const failures = createTokenBuckets({ points: publicRatePerMinute, durationSeconds: 60 });
  return async (ctx, checkHead, request, serve) => {
    const key = rateKey(request.ip);
    const isSmall = Number(ctx.req.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= SMALL_BODY;
    checkHead(request);
    if (!isSmall) refuseUngranted(failures.look(key));
    const before = ctx.req.socket.bytesRead;
    try {
      await serve();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'signature_invalid') throw error;
      failures.charge(key, 1 + Math.floor((ctx.req.socket.bytesRead - before) / SMALL_BODY));
      throw error;
    }
  };
}
