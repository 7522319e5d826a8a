import { z } from 'zod';
import { GENUINE_PATH } from '../../../kernel/texts/genuine.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { originOf } from '../../../platform/http/origin.ts';
import { PAGE_TYPE } from '../../../platform/http/pages/public-page.ts';
import { requireSameOrigin } from '../../../platform/http/same-origin.ts';
import { CONTENT_KINDS, MAX_CONTENT } from '../rules/content.ts';
import { genuineAnswerPage, genuinePage } from './pages/genuine.ts';

const tags = ['Genuine'];
const PRIVATE_PAGE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' };
const pageAnswer = { 200: { description: 'The page, in Portuguese', contentType: PAGE_TYPE } } as const;

/** A form writes a character of the longest content in at most nine bytes. */
const FORM_LIMIT = 9 * MAX_CONTENT + 1_024;

const answer = z
  .object({
    genuine: z.boolean(),
    kind: z.enum(CONTENT_KINDS).nullable().describe('What was recognised; null when nothing was'),
    creditor: z
      .object({ name: z.string(), cnpj: z.string().nullable() })
      .nullable()
      .describe('Whose it is; null also when several creditors share a sender'),
    month: z.string().nullable().describe('In which month a message was sent or a Pix code was made: `2026-11`'),
    sandbox: z.boolean().describe('It comes from a test and is no charge, whatever name its creditor has'),
  })
  .meta({ id: 'GenuineAnswer' });

/** "É verdade?": anybody asks whether what came was sent by a creditor of this deployment. */
export function genuineRoutes({ services, config }: Pick<HttpDeps, 'services' | 'config'>): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/genuine',
      operationId: 'checkGenuine',
      summary: 'Whether a message, a link, a Pix code or a sender comes from a creditor of this service',
      description:
        'The whole text of a message, white space aside, is recognised for 180 days; a Pix code by every character; a link of this service when its page exists; a number or an e-mail address when a connected channel sends from it. Nothing that is sent here is stored, and the answer never tells whether somebody owes. An address may ask 20 times an hour.',
      tags,
      auth: 'none',
      rate: 'public',
      body: z.object({
        content: z
          .string()
          .max(MAX_CONTENT)
          .refine((text) => text.trim() !== '', { params: { code: 'required' }, message: 'What was received' }),
      }),
      responses: { 200: { description: 'The answer', schema: answer } },
      errors: ['rate_limited', 'unavailable'],
      handler: async ({ body: { content }, request }) => ({
        status: 200,
        headers: { 'Cache-Control': 'no-store' },
        body: await services.checkContent({ content, rateKey: originOf(request).rateKey }),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: GENUINE_PATH,
      operationId: 'getGenuinePage',
      summary: 'Public page on which anybody checks what came',
      tags,
      auth: 'none',
      rate: 'public',
      responses: pageAnswer,
      errors: [],
      handler: async () => ({ status: 200, body: genuinePage(), headers: PRIVATE_PAGE }),
    }),
    defineRoute({
      method: 'POST',
      path: GENUINE_PATH,
      operationId: 'checkOnGenuinePage',
      summary: 'The form of the page: the same answer, in Portuguese',
      description: 'The body is a form with the field `content`.',
      tags,
      auth: 'none',
      rate: 'public',
      bodyType: 'raw',
      bodyLimit: FORM_LIMIT,
      body: z.instanceof(Buffer),
      responses: pageAnswer,
      errors: ['rate_limited', 'origin_refused', 'unavailable'],
      handler: async ({ body, request }) => {
        requireSameOrigin(request, config);
        // A browser writes each line break of a form as two characters.
        const content = (new URLSearchParams(body.toString()).get('content') ?? '').replaceAll('\r\n', '\n');
        const problem = content.trim() === '' ? 'empty' : content.length > MAX_CONTENT ? 'tooLong' : null;
        if (problem !== null) return { status: 200, body: genuinePage(problem), headers: PRIVATE_PAGE };
        const found = await services.checkContent({ content, rateKey: originOf(request).rateKey });
        return { status: 200, body: genuineAnswerPage(found), headers: PRIVATE_PAGE };
      },
    }),
  ];
}
