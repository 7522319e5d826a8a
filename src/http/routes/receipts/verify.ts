import { readFileSync } from 'node:fs';
import { defineRoute, type Route } from '../../define-route.ts';
import type { HttpDeps } from '../../deps.ts';
import { PAGE_TYPE } from '../../pages/layout.ts';
import { VERIFY_STYLE_PATH, verifyPage } from '../../pages/verify.ts';
import { protocolParams, signedQuery } from './schemas.ts';

const style = readFileSync(new URL('../../pages/assets/verify.css', import.meta.url), 'utf8');
const tags = ['Receipts'];

/** The page that the QR code of a receipt opens. */
export function verifyRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/verify/:protocol',
      operationId: 'verifyReceipt',
      summary: 'Public page that confirms a receipt (what its QR code opens)',
      tags,
      auth: 'none',
      rate: 'public',
      params: protocolParams,
      query: signedQuery,
      responses: { 200: { description: 'The page, in Portuguese', contentType: PAGE_TYPE } },
      errors: ['signature_invalid', 'not_found', 'unavailable'],
      handler: async ({ params: { protocol }, query: { sig } }) => ({
        status: 200,
        body: verifyPage(await services.verifyReceipt({ protocol, signature: sig })),
        headers: { 'X-Robots-Tag': 'noindex', 'Cache-Control': 'private, no-store' },
      }),
    }),
    defineRoute({
      method: 'GET',
      path: VERIFY_STYLE_PATH,
      operationId: 'getVerifyStyle',
      summary: 'Style of the page',
      tags,
      auth: 'none',
      responses: { 200: { description: 'CSS', contentType: 'text/css; charset=utf-8' } },
      errors: [],
      handler: async () => ({ status: 200, body: style, headers: { 'Cache-Control': 'public, max-age=3600' } }),
    }),
  ];
}
