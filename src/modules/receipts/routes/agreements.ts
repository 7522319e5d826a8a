import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { documentAnswer, SIGNED_DOWNLOAD } from './signed-download.ts';

export const agreementDocumentRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    ...SIGNED_DOWNLOAD,
    path: '/api/agreements/download/:protocol',
    operationId: 'downloadAgreement',
    summary: 'The Termo de Acordo, by its signed link',
    description:
      'It is drawn at the first download; from then on its bytes are the same. Only the signature counts; an Authorization header does not replace it.',
    tags: ['Agreements'],
    handler: async ({ params: { protocol }, query: { sig } }) => {
      const file = await services.downloadAgreement({ protocol, signature: sig });
      return documentAnswer(`termo-de-acordo-${protocol}.pdf`, file);
    },
  }),
];
