import { protocolParams, signedQuery } from './schemas.ts';

/** What the routes have in common by which the holder of a signed address reads a document. */
export const SIGNED_DOWNLOAD = {
  method: 'GET',
  isPage: true,
  auth: 'none',
  rate: 'public',
  params: protocolParams,
  query: signedQuery,
  responses: { 200: { description: 'The document', contentType: 'application/pdf' } },
  errors: ['signature_invalid', 'not_found', 'unavailable'],
} as const;

/** Returns the answer with a document, which is for the holder of its address alone. */
export const documentAnswer = (
  filename: string,
  { pdf, sha256 }: { readonly pdf: Buffer; readonly sha256: string },
) => ({
  status: 200 as const,
  body: pdf,
  headers: {
    'Content-Disposition': `inline; filename="${filename}"`,
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex',
    ETag: `"${sha256}"`,
  },
});
