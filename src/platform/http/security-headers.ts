import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Middleware } from 'koa';
import type { HttpConfig } from './deps.ts';

/** Pages load only their own style and script files, have no inline styles or scripts, and cannot be framed. */
export function securityHeaders({ publicUrl }: Pick<HttpConfig, 'publicUrl'>): Middleware {
  const own = ["'self'"];
  const none = ["'none'"];
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: none,
        styleSrc: own,
        scriptSrc: own,
        imgSrc: [...own, 'data:'],
        connectSrc: own,
        formAction: own,
        baseUri: none,
        frameAncestors: none,
      },
    },
    strictTransportSecurity: publicUrl.startsWith('https:') ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
  });
  const headers = headersOf(protect);
  return (ctx, next) => {
    ctx.res.setHeaders(headers);
    return next();
  };
}

/** Helmet sets the same headers on every answer, so it runs once, on an answer that nobody receives. */
function headersOf(protect: ReturnType<typeof helmet>): Map<string, string> {
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  protect(answer.req, answer, (error?: unknown) => {
    if (error !== undefined) throw error;
  });
  return new Map(Object.entries(answer.getHeaders()).map(([name, value]) => [name, String(value)]));
}
