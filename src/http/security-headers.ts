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
  return async (ctx, next) => {
    await new Promise<void>((resolve, reject) => {
      protect(ctx.req, ctx.res, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });
    await next();
  };
}
