import { z } from 'zod';
import { kindOfProtocol } from '../../../kernel/protocol.ts';
import { uploadedFile } from '../../../platform/http/body.ts';
import { defineRoute, type Route, type RouteRequest } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { PAGE_TYPE } from '../../../platform/http/pages/public-page.ts';
import { createKeyedRate } from '../../../platform/http/rate-limit.ts';
import { requireSameOrigin } from '../../../platform/http/same-origin.ts';
import { PRIVATE_PAGE } from '../../payments/routes/debtor-page.ts';
import { MAX_FILE_BYTES } from '../rules/file-content.ts';
import { REFUSALS, type Refusal } from '../rules/rights-request.ts';
import type { Asked } from '../use-cases/store-request.ts';
import { copyAsJson } from './copy.ts';
import { type FrontNotice, frontPage, notMinePage } from './pages/front.ts';
import { rightsPage } from './pages/rights.ts';
import { readPreference } from './read-preference.ts';

/** The forms of one page need no more presses per minute, from all addresses together. */
const PRESSES_A_MINUTE = 20;
const FORM_LIMIT = 16_384;
/** The file, and the other fields of its form. */
const UPLOAD_LIMIT = MAX_FILE_BYTES + 64 * 1024;

const tokenParams = z.object({
  token: z
    .string()
    .max(100)
    .transform((text) => text.toLowerCase()),
});
const aPage = { description: 'The page, in Portuguese', contentType: PAGE_TYPE } as const;
const back = { 303: { description: 'Back to the page' } } as const;

const ROUTE = { tags: ['Rights'], auth: 'none', rate: 'public', isPage: true } as const;
const RAW_FORM = { bodyType: 'raw', bodyLimit: FORM_LIMIT, body: z.instanceof(Buffer) } as const;

/** A proof that no page has: it asks for the digits again. */
const NO_PROOF = 'fim';

const formOf = (body: Buffer): URLSearchParams => new URLSearchParams(body.toString());
const textOf = (form: URLSearchParams, name: string): string => form.get(name) ?? '';

const sendTo = (token: string, proof: string, more: Readonly<Record<string, string>> = {}) =>
  ({
    status: 303,
    headers: { ...PRIVATE_PAGE, Location: `/direitos/${token}?${new URLSearchParams({ v: proof, ...more })}` },
  }) as const;

/** Sends the browser back to the page, which says what became of a form. */
const after = (token: string, proof: string, asked: Asked) => {
  if (asked.kind === 'closed') return sendTo(token, NO_PROOF);
  if (asked.kind === 'refused') return sendTo(token, proof, { erro: asked.because });
  return sendTo(token, proof, { pedido: asked.protocol });
};

const isRefusal = (text: string | undefined): text is Refusal => REFUSALS.some((one) => one === text);

/** The page on which a person sees what a client holds of them, and asks for what the law gives. */
export function rightsPageRoutes({ services, config, now }: Pick<HttpDeps, 'services' | 'config' | 'now'>): Route[] {
  const takeFromPage = createKeyedRate({ points: PRESSES_A_MINUTE, durationSeconds: 60 });
  const press = async <Done>(token: string, request: RouteRequest, run: () => Promise<Done>): Promise<Done> => {
    requireSameOrigin(request, config);
    await takeFromPage(token);
    return run();
  };
  const front = async (token: string, notice: FrontNotice) => ({
    status: 200 as const,
    body: frontPage(token, await services.readRightsFront(token), notice),
    headers: PRIVATE_PAGE,
  });

  const show = defineRoute({
    ...ROUTE,
    method: 'GET',
    path: '/direitos/:token',
    operationId: 'getRightsPage',
    summary: 'The debtor’s page of rights: what is held of them, and what they may ask for',
    description:
      'Without a proof it shows the creditor and the question for the digits alone. With `format=json` or `format=pdf` it is a copy of everything, to download.',
    params: tokenParams,
    query: z.object({
      v: z.string().max(100).optional().describe('The proof that the digits were given, good for 30 minutes'),
      format: z.enum(['json', 'pdf']).optional().catch(undefined),
      pedido: z.string().max(40).optional().describe('The request that was just made'),
      erro: z.string().max(20).optional().describe('Why a form was not taken'),
    }),
    responses: { 200: aPage },
    errors: [],
    handler: async ({ params: { token }, query: { v: proof, format, pedido, erro } }) => {
      if (proof === undefined) return front(token, null);
      if (format !== undefined) {
        const copy = await services.readRightsCopy({ token, proof });
        if (copy === 'closed') return front(token, 'closed');
        const at = now();
        const isPdf = format === 'pdf';
        return {
          status: 200,
          body: isPdf ? await services.drawRightsCopy(copy, at) : copyAsJson(copy, at),
          headers: {
            ...PRIVATE_PAGE,
            'Content-Type': isPdf ? 'application/pdf' : 'application/json; charset=utf-8',
            'Content-Disposition': `attachment; filename="meus-dados.${format}"`,
          },
        };
      }
      const held = await services.readRights({ token, proof });
      if (held === 'closed') return front(token, 'closed');
      const notice = {
        protocol: pedido !== undefined && kindOfProtocol(pedido) === 'PD' ? pedido : undefined,
        refusal: isRefusal(erro) ? erro : undefined,
      };
      return { status: 200, body: rightsPage(held, proof, notice), headers: PRIVATE_PAGE };
    },
  });

  const open = defineRoute({
    ...ROUTE,
    ...RAW_FORM,
    method: 'POST',
    path: '/direitos/:token/abrir',
    operationId: 'openRightsPage',
    summary: 'Open the page with the last four digits of the CPF or CNPJ',
    description: 'The body is a form with `digitos`. Five wrong tries a day, over all addresses.',
    params: tokenParams,
    responses: {
      303: { description: 'To the page, with a proof of 30 minutes in `v`' },
      422: { description: 'The digits are wrong', contentType: PAGE_TYPE },
      429: { description: 'Five wrong tries were made today', contentType: PAGE_TYPE },
    },
    errors: ['origin_refused'],
    handler: ({ params: { token }, body, request }) =>
      press(token, request, async () => {
        const opening = await services.openRightsPage({ token, digits: textOf(formOf(body), 'digitos').slice(0, 20) });
        if (opening.kind === 'opened') return sendTo(token, opening.proof);
        const page = frontPage(token, opening.front, opening.kind);
        if (opening.kind === 'wrong') return { status: 422, body: page, headers: PRIVATE_PAGE };
        const headers = { ...PRIVATE_PAGE, 'Retry-After': String(opening.retryAfterSeconds) };
        return { status: 429, body: page, headers };
      }),
  });

  const notMine = defineRoute({
    ...ROUTE,
    ...RAW_FORM,
    method: 'POST',
    path: '/direitos/:token/nao-e-meu',
    operationId: 'sayNotMine',
    summary: 'The holder of the address is not the person: it ends at once, and a protocol confirms it',
    params: tokenParams,
    responses: { 200: aPage },
    errors: ['rate_limited', 'origin_refused'],
    handler: ({ params: { token }, request }) =>
      press(token, request, async () => ({
        status: 200,
        body: notMinePage((await services.sayNotMine(token)).protocol),
        headers: PRIVATE_PAGE,
      })),
  });

  const asking = (action: string, kind: 'correction' | 'score_review', operationId: string, summary: string): Route =>
    defineRoute({
      ...ROUTE,
      ...RAW_FORM,
      method: 'POST',
      path: `/direitos/:token/${action}`,
      operationId,
      summary,
      description: 'The body is a form with `v` and `texto`.',
      params: tokenParams,
      responses: back,
      errors: ['rate_limited', 'origin_refused'],
      handler: ({ params: { token }, body, request }) =>
        press(token, request, async () => {
          const form = formOf(body);
          const proof = textOf(form, 'v');
          const text = textOf(form, 'texto');
          return after(
            token,
            proof,
            await services.askForRight({ token, proof, kind, text, debtId: null, file: null }),
          );
        }),
    });

  const dispute = defineRoute({
    ...ROUTE,
    method: 'POST',
    path: '/direitos/:token/contestacao',
    operationId: 'disputeOnRightsPage',
    summary: 'The person disputes a debt, with a file if there is one',
    description: 'The file is a PDF, a JPEG or a PNG by its content, of at most 5 MiB. Only the staff download it.',
    bodyType: 'multipart',
    bodyLimit: UPLOAD_LIMIT,
    body: z.object({
      v: z.string().max(100).optional(),
      texto: z.string().optional(),
      conta: z.string().max(100).optional().describe('The debt that is meant; empty for all'),
      arquivo: uploadedFile().optional(),
    }),
    params: tokenParams,
    responses: back,
    errors: ['rate_limited', 'origin_refused', 'payload_too_large'],
    handler: ({ params: { token }, body, request }) =>
      press(token, request, async () => {
        const { v: proof = '', texto: text = '', conta = '', arquivo } = body;
        const debtId = conta === '' ? null : conta;
        const file = arquivo?.bytes ?? null;
        const kind = 'dispute';
        return after(token, proof, await services.askForRight({ token, proof, kind, text, debtId, file }));
      }),
  });

  const silence = defineRoute({
    ...ROUTE,
    ...RAW_FORM,
    method: 'POST',
    path: '/direitos/:token/silencio',
    operationId: 'askForSilence',
    summary: 'The person wants no more messages',
    params: tokenParams,
    responses: back,
    errors: ['rate_limited', 'origin_refused'],
    handler: ({ params: { token }, body, request }) =>
      press(token, request, async () => {
        const proof = textOf(formOf(body), 'v');
        return after(token, proof, await services.askForSilence({ token, proof }));
      }),
  });

  const prefer = defineRoute({
    ...ROUTE,
    ...RAW_FORM,
    method: 'POST',
    path: '/direitos/:token/preferencia',
    operationId: 'preferContacts',
    summary: 'The person says when and by which channel they want to be written to',
    description:
      'A form with `de` and `ate` (`09:00`), `dia` once for each day of the week (0 is Sunday), `meio`, or `apagar`.',
    params: tokenParams,
    responses: back,
    errors: ['rate_limited', 'origin_refused'],
    handler: ({ params: { token }, body, request }) =>
      press(token, request, async () => {
        const form = formOf(body);
        const proof = textOf(form, 'v');
        const preference = readPreference(form);
        if (preference === 'hours') return sendTo(token, proof, { erro: preference });
        return after(token, proof, await services.preferContacts({ token, proof, preference }));
      }),
  });

  return [
    show,
    open,
    notMine,
    asking('correcao', 'correction', 'askForCorrection', 'The person asks that data be corrected'),
    asking('revisao', 'score_review', 'askForReview', 'The person asks that somebody review the score'),
    dispute,
    silence,
    prefer,
  ];
}
