import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { documentHeaders } from './receipts.ts';
import { protocolParams, signedQuery } from './schemas.ts';

export const agreementDocumentRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/agreements/download/:protocol',
    operationId: 'downloadAgreement',
    isPage: true,
    summary: 'The Termo de Acordo, by its signed link',
    description:
      'It is drawn at the first download; from then on its bytes are the same. Only the signature counts; an Authorization header does not replace it.',
    tags: ['Agreements'],
    auth: 'none',
    rate: 'public',
    params: protocolParams,
    query: signedQuery,
    responses: { 200: { description: 'The document', contentType: 'application/pdf' } },
    errors: ['signature_invalid', 'not_found', 'unavailable'],
    handler: async ({ params: { protocol }, query: { sig } }) => {
      const { pdf, sha256 } = await services.downloadAgreement({ protocol, signature: sig });
      return { status: 200, body: pdf, headers: documentHeaders(`termo-de-acordo-${protocol}.pdf`, sha256) };
    },
  }),
];
