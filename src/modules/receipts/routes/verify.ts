import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { PAGE_TYPE } from '../../../platform/http/pages/public-page.ts';
import { verifyPage } from './pages/verify.ts';
import { verifyAgreementPage } from './pages/verify-agreement.ts';
import { verifyQuittancePage } from './pages/verify-quittance.ts';
import { protocolParams, signedQuery } from './schemas.ts';

const tags = ['Receipts'];

/** The page that the QR code of a receipt, of a Termo de Acordo or of an annual quittance opens. */
export function verifyRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/verify/:protocol',
      operationId: 'verifyReceipt',
      summary: 'Public page that confirms a receipt, a Termo de Acordo or an annual quittance (what its QR code opens)',
      tags,
      auth: 'none',
      rate: 'public',
      params: protocolParams,
      query: signedQuery,
      responses: { 200: { description: 'The page, in Portuguese', contentType: PAGE_TYPE } },
      errors: ['signature_invalid', 'not_found', 'unavailable'],
      handler: async ({ params: { protocol }, query: { sig } }) => {
        const request = { protocol, signature: sig };
        // The beginning says whose signature is checked, also of a protocol that is none: it is unknown, and not forged.
        const body = protocol.startsWith('AC-')
          ? verifyAgreementPage(await services.verifyAgreement(request))
          : protocol.startsWith('QA-')
            ? verifyQuittancePage(await services.verifyAnnualQuittance(request))
            : verifyPage(await services.verifyReceipt(request));
        return { status: 200, body, headers: { 'X-Robots-Tag': 'noindex', 'Cache-Control': 'private, no-store' } };
      },
    }),
  ];
}
