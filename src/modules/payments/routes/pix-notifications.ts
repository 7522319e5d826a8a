import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { isListed } from '../../../platform/http/client-ip.ts';
import { defineRoute, type Route, type RouteFacts } from '../../../platform/http/define-route.ts';
import type { HttpConfig, HttpDeps } from '../../../platform/http/deps.ts';

/** A bank may tell of a thousand payments at once, each with its refunds. */
const MAX_BYTES = 2 * 1024 * 1024;

const params = z.object({ account: z.string().max(64), secret: z.string().max(256) });

/** Set by a proxy that asks the bank for its certificate; anybody else may write it too. */
const VERIFIED_HEADER = 'x-ssl-client-verify';

/**
 * Where proxies ask banks for their certificate, a notification has to come through one of them. This proves that a bank
 * sends it and not whose payments it tells of, so the secret of the address is checked too.
 */
function certificateCheck(proxies: HttpConfig['pixMtlsProxies']): Pick<RouteFacts, 'signed'> {
  if (proxies === undefined) return {};
  return {
    signed: ({ peer, headers }) => {
      const isProved = isListed(proxies, peer) && headers[VERIFIED_HEADER] === 'SUCCESS';
      if (!isProved) throw new AppError('signature_invalid');
    },
  };
}

/** Banks put `/pix` behind the address that they were given, and some do not. */
export const pixNotificationRoutes = ({
  services,
  config,
}: Pick<HttpDeps, 'services'> & { readonly config: Pick<HttpConfig, 'pixMtlsProxies'> }): Route[] =>
  (['', '/pix'] as const).map((end) =>
    defineRoute({
      ...certificateCheck(config.pixMtlsProxies),
      method: 'POST',
      path: `/api/payments/pix/:account/:secret${end}`,
      operationId: end === '' ? 'receivePix' : 'receivePixBelow',
      summary: 'Receive a bank’s notification of payments by Pix',
      description:
        'The address is secret and belongs to one account. The answer comes when the notification is stored; the state of each payment is then read from the bank.',
      tags: ['Payments'],
      auth: 'none',
      bodyType: 'raw',
      bodyLimit: MAX_BYTES,
      params,
      responses: { 200: { description: 'Accepted, also for payments without a charge' } },
      errors: ['signature_invalid'],
      handler: async ({ params: { account, secret }, body, request }) => {
        const bytes: unknown = body;
        await services.recordPixNotification({
          account,
          secret,
          body: bytes instanceof Uint8Array ? bytes : new Uint8Array(),
          receivedAs: request.id,
        });
        return { status: 200 };
      },
    }),
  );
