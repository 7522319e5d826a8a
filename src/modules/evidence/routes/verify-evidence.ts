import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import { fileRoute } from '../../../platform/http/file-route.ts';
import { PAGE_TYPE } from '../../../platform/http/pages/public-page.ts';
import { VERIFY_EVIDENCE_PATH, VERIFY_EVIDENCE_SCRIPT_PATH, verifyEvidencePage } from './pages/verify-evidence.ts';

const tags = ['Evidence'];
const SOURCE = new URL('../use-cases/verify-pack.ts', import.meta.url);

/** The verifier of the command without its types, so that the browser runs the same text. */
function verifierForBrowsers(): string {
  const { emitWarning } = process;
  // Node warns that the function may change, which says nothing to an operator.
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(readFileSync(SOURCE, 'utf8'));
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** The page on which anybody checks a pack of evidence, without sending it. */
export function verifyEvidenceRoutes(): Route[] {
  let script: string | undefined;
  return [
    defineRoute({
      method: 'GET',
      path: VERIFY_EVIDENCE_PATH,
      operationId: 'getVerifyEvidencePage',
      summary: 'Public page that checks a pack of evidence in the browser, without sending it',
      tags,
      auth: 'none',
      rate: 'public',
      responses: { 200: { description: 'The page, in Portuguese', contentType: PAGE_TYPE } },
      errors: [],
      handler: async () => ({ status: 200, body: verifyEvidencePage(), headers: { 'X-Robots-Tag': 'noindex' } }),
    }),
    fileRoute({
      path: VERIFY_EVIDENCE_SCRIPT_PATH,
      name: 'verify-evidence.js',
      operationId: 'getVerifyEvidenceScript',
      summary: 'The script of the page that checks evidence',
      tags,
    }),
    defineRoute({
      method: 'GET',
      path: '/assets/verify-pack.js',
      operationId: 'getVerifyPackScript',
      summary: 'The verifier that the page runs',
      tags,
      auth: 'none',
      responses: { 200: { description: 'The verifier', contentType: 'text/javascript; charset=utf-8' } },
      errors: [],
      handler: async () => {
        script ??= verifierForBrowsers();
        return { status: 200, body: script, headers: { 'Cache-Control': 'public, max-age=3600' } };
      },
    }),
  ];
}
