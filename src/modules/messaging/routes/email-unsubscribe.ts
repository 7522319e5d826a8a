import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import { PAGE_TYPE } from '../../../platform/http/pages/public-page.ts';
import { UNSUBSCRIBE_PATH, type Unsubscribe, type UnsubscribeRequest } from '../use-cases/unsubscribe.ts';
import { unsubscribedPage, unsubscribePage } from './pages/email-unsubscribe.ts';

/** Any value is accepted here, because every invalid link, also a repeated parameter, gets the same answer. */
const query = z.object({
  message: z.unknown().optional(),
  debt: z.unknown().optional(),
  sig: z.unknown().optional(),
});

const requestOf = ({ message, debt, sig }: z.infer<typeof query>): UnsubscribeRequest => ({
  link: { messageId: String(message), debtId: String(debt) },
  signature: sig,
});

const page = {
  tags: ['Messaging'],
  path: UNSUBSCRIBE_PATH,
  auth: 'none',
  query,
  responses: { 200: { description: 'The page, in Portuguese', contentType: PAGE_TYPE } },
} as const;

const PRIVATE_PAGE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' };

/**
 * The address in `List-Unsubscribe`. Mail programs post to it themselves (RFC 8058), so the origin is not checked, no
 * rate refuses a request for silence, and whatever the body says, the signed address is enough.
 */
export function unsubscribeRoutes({ unsubscribe }: { readonly unsubscribe: Unsubscribe }): Route[] {
  return [
    defineRoute({
      ...page,
      method: 'GET',
      operationId: 'getUnsubscribePage',
      summary: 'Page that asks whether the messages shall end',
      errors: ['signature_invalid', 'not_found'],
      handler: async ({ query: given }) => {
        const rightsPageId = await unsubscribe.rightsPageOf(requestOf(given));
        return { status: 200, body: unsubscribePage(rightsPageId), headers: PRIVATE_PAGE };
      },
    }),
    defineRoute({
      ...page,
      method: 'POST',
      operationId: 'unsubscribe',
      summary: 'End the messages with one click (RFC 8058)',
      bodyType: 'raw',
      bodyLimit: 4_096,
      body: z.instanceof(Buffer),
      errors: ['signature_invalid', 'not_found', 'unavailable'],
      handler: async ({ query: given }) => {
        const request = requestOf(given);
        await unsubscribe.accept(request);
        const rightsPageId = await unsubscribe.rightsPageOf(request);
        return { status: 200, body: unsubscribedPage(rightsPageId), headers: PRIVATE_PAGE };
      },
    }),
  ];
}
