import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';

const tags = ['Evidence'];

const keySet = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      use: z.literal('sig'),
      alg: z.literal('EdDSA'),
      kid: z.string().describe('What a manifest names as `keyId`'),
      x: z.string().describe('The public key, as base64url'),
      from: z.iso.datetime().describe('Signs from then on'),
      until: z.iso.datetime().optional().describe('And not from then on; absent for the last key'),
    }),
  ),
});

export const evidenceRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/debts/:id/evidence',
    operationId: 'packEvidence',
    right: 'review',
    namesPersons: true,
    stepUp: 'always',
    summary: 'The evidence of a debt as a ZIP that a stranger can check',
    description:
      'Summary, timeline as a chain of hashes, messages, receipts, agreements, the rules that were applied, and a signed list of all files. `docs/evidence.md` says what stands in it and how it is checked. Persons are not masked in it, for auditors neither: a changed content would not be the one that was hashed. A download that breaks off has no end, which programs that read it notice. Each call stands in the audit log.',
    tags,
    auth: 'jwt',
    clientRate: 'exports',
    params: idParams,
    responses: { 200: { description: 'The pack', contentType: 'application/zip' } },
    errors: ['not_found', 'unavailable'],
    handler: async ({ caller, params: { id: debtId }, request }) => {
      const source = sourceOf(caller, request);
      const body = await services.packEvidence({ clientId: caller.clientId, debtId, source });
      const headers = {
        'Content-Disposition': `attachment; filename="provas-${debtId}.zip"`,
        'Cache-Control': 'no-store',
      };
      return { status: 200, headers, body };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/.well-known/quita-evidence.json',
    operationId: 'listEvidenceKeys',
    summary: 'The public keys that sign evidence, as a JWK set with their times',
    tags,
    auth: 'none',
    rate: 'public',
    responses: { 200: { description: 'The keys, the newest last', schema: keySet } },
    errors: [],
    // Any page may check a pack against the keys of this deployment.
    handler: async () => ({
      status: 200,
      body: services.publishedEvidenceKeys(),
      headers: { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=300' },
    }),
  }),
];
