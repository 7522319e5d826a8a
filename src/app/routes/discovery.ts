import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { webhookOperations } from '../../modules/events/routes/openapi-webhooks.ts';
import { defineRoute, type Route } from '../../platform/http/define-route.ts';
import type { HttpConfig } from '../../platform/http/deps.ts';
import { fileRoute } from '../../platform/http/file-route.ts';
import { buildOpenApi } from '../../platform/http/openapi.ts';
import { docsPage } from '../../platform/http/pages/docs.ts';
import { isErrorCode, problemPage, problemsPage } from '../../platform/http/pages/problems.ts';
import { PAGE_TYPE, PUBLIC_STYLE_PATH } from '../../platform/http/pages/public-page.ts';
import { REFERENCE_STYLE_PATH } from '../../platform/http/pages/reference-page.ts';
import { NOT_MODIFIED, readyAnswer } from '../../platform/http/ready-answer.ts';

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/**
 * Where a stranger learns what this API offers. `routes` is called when an answer is made, because the documents describe
 * these routes too.
 */
export function discoveryRoutes(
  config: Pick<HttpConfig, 'publicUrl' | 'version'>,
  routes: () => readonly Route[],
): Route[] {
  const document = once(() => buildOpenApi(routes(), config, webhookOperations));
  const openApi = once(() => readyAnswer(JSON.stringify(document())));
  const docs = once(() => readyAnswer(docsPage(routes(), document())));
  const tags = ['Discovery'];
  const page = (description: string) => ({ 200: { description, contentType: PAGE_TYPE } }) as const;

  return [
    defineRoute({
      method: 'GET',
      path: '/openapi.json',
      operationId: 'getOpenApi',
      summary: 'This API as an OpenAPI 3.1 document',
      tags,
      auth: 'none',
      rate: 'public',
      prepare: openApi,
      responses: {
        200: { description: 'The document', schema: z.record(z.string(), z.unknown()), isReady: true },
        ...NOT_MODIFIED,
      },
      errors: [],
      handler: async ({ request }) => openApi()(request),
    }),
    defineRoute({
      method: 'GET',
      path: '/docs',
      operationId: 'getDocs',
      summary: 'This API as a page to read',
      tags,
      auth: 'none',
      rate: 'public',
      prepare: docs,
      responses: { ...page('The page'), ...NOT_MODIFIED },
      errors: [],
      handler: async ({ request }) => docs()(request),
    }),
    defineRoute({
      method: 'GET',
      path: '/problems',
      operationId: 'listProblems',
      summary: 'All error codes',
      tags,
      auth: 'none',
      rate: 'public',
      responses: page('The list'),
      errors: [],
      handler: async () => ({ status: 200, body: problemsPage() }),
    }),
    defineRoute({
      method: 'GET',
      path: '/problems/:code',
      operationId: 'getProblem',
      summary: 'Cause and remedy of one error code',
      tags,
      auth: 'none',
      rate: 'public',
      params: z.object({ code: z.string() }),
      responses: page('The explanation'),
      errors: [],
      handler: async ({ params: { code } }) => {
        if (!isErrorCode(code)) throw new AppError('not_found');
        return { status: 200, body: problemPage(code) };
      },
    }),
    fileRoute({
      path: REFERENCE_STYLE_PATH,
      name: 'reference.css',
      operationId: 'getReferenceStyle',
      summary: 'Style of the reference pages',
      tags,
    }),
    fileRoute({
      path: PUBLIC_STYLE_PATH,
      name: 'public.css',
      operationId: 'getPublicStyle',
      summary: 'Style of the pages in Portuguese',
      tags,
    }),
  ];
}
