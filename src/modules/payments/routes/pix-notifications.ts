import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';

/** A bank may tell of a thousand payments at once, each with its refunds. */
const MAX_BYTES = 2 * 1024 * 1024;

const params = z.object({ account: z.string().max(64), secret: z.string().max(256) });

/** Banks put `/pix` behind the address that they were given, and some do not. */
export const pixNotificationRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] =>
  (['', '/pix'] as const).map((end) =>
    defineRoute({
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
