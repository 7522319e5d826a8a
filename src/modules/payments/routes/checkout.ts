import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { fileRoute } from '../../../platform/http/file-route.ts';
import { PAGE_CODE, pageOfCode } from '../../debts/use-cases/page-code.ts';
import { type ButtonPage, CHECKOUT_BUTTONS, type CheckoutButton } from '../use-cases/press-button.ts';
import { agreementPageRoutes } from './agreement-pages.ts';
import {
  back,
  createPress,
  noticeQuery,
  PAGE_ROUTE,
  PRIVATE_PAGE,
  pageAnswer,
  pageParams,
  sendTo,
} from './debtor-page.ts';
import { ASKED_FIRST, askPage } from './pages/buttons.ts';
import { CHECKOUT_SCRIPT_PATH, checkoutPage, nothingPage } from './pages/checkout.ts';
import { PERSON_SCRIPT_PATH, personPage } from './pages/person.ts';
import { PIX_SCRIPT_PATH } from './pages/pix-code.ts';
import { debtParams } from './payments.ts';

const tags = ['Checkout'];

const SUMMARIES: Readonly<Record<CheckoutButton, string>> = {
  'said-paid': 'The debtor says that the debt is paid',
  dispute: 'The debtor does not know this debt',
  'opt-out': 'The debtor wants no more messages',
};
const OPERATIONS: Readonly<Record<CheckoutButton, string>> = {
  'said-paid': 'sayPaid',
  dispute: 'dispute',
  'opt-out': 'optOut',
};

/** A form of a page is small; a reason has a limit of its own. */
const FORM_LIMIT = 8_192;
/** What the code of an agreement asks for: its next instalment, unless the visitor wants to pay all of it. */
const payQuery = z.object({
  quitar: z.string().optional().describe('`tudo`: the code is for the whole rest of an agreement'),
});
const pageQuery = noticeQuery.extend(payQuery.shape);
const askedBy = ({ quitar }: z.output<typeof payQuery>) => (quitar === 'tudo' ? 'rest' : 'next');

/** The debtor's page and its buttons. They are public: the id of the debt is enough to open the page. */
export function checkoutRoutes({ services, config }: Pick<HttpDeps, 'services' | 'config'>): Route[] {
  const page = defineRoute({
    method: 'GET',
    path: '/checkout/:debtId',
    operationId: 'getCheckoutPage',
    summary: 'The debtor’s page: what is owed, the Pix code, the receipt',
    tags,
    auth: 'none',
    rate: 'public',
    params: debtParams,
    query: pageQuery,
    responses: pageAnswer,
    errors: [],
    handler: async ({ params, query }) => {
      const checkout = await services.openCheckout(params.debtId, { noticeId: query.aviso, asked: askedBy(query) });
      return {
        status: 200,
        body: checkout === null ? nothingPage() : await checkoutPage(checkout),
        headers: PRIVATE_PAGE,
      };
    },
  });

  const ofPerson = defineRoute({
    method: 'GET',
    path: '/pay/:pageId',
    operationId: 'getPersonPage',
    summary: 'The page of a person: all their open debts with one creditor, a Pix code for each',
    tags,
    auth: 'none',
    rate: 'public',
    params: pageParams,
    query: pageQuery,
    responses: pageAnswer,
    errors: [],
    handler: async ({ params: { pageId }, query }) => {
      const person = await services.openPersonPage(pageId, { noticeId: query.aviso, asked: askedBy(query) });
      const body = person === null ? nothingPage() : await personPage(pageId, person);
      return { status: 200, body, headers: PRIVATE_PAGE };
    },
  });

  const shortLink = defineRoute({
    method: 'GET',
    path: '/p/:code',
    operationId: 'followShortLink',
    isPage: true,
    summary: 'The short address of a debtor’s page, which short messages name',
    tags,
    auth: 'none',
    rate: 'public',
    params: z.object({ code: z.string().regex(PAGE_CODE).describe('The id of the page in fewer characters') }),
    responses: { 302: { description: 'To the page, whether or not it exists' } },
    errors: [],
    handler: async ({ params }) => {
      const page = pageOfCode(params.code);
      if (page === null) throw new AppError('not_found');
      const path = { debt: '/checkout', person: '/pay', rights: '/direitos' }[page.kind];
      return { status: 302, headers: { ...PRIVATE_PAGE, Location: `${path}/${page.id}` } };
    },
  });

  const press = createPress(config);
  const payTest = defineRoute({
    method: 'POST',
    path: '/checkout/:debtId/pay',
    operationId: 'payOnPage',
    summary: 'Pay a sandbox debt from its page',
    tags,
    auth: 'none',
    rate: 'public',
    isPage: true,
    params: debtParams,
    query: payQuery,
    responses: back,
    errors: ['rate_limited', 'origin_refused'],
    handler: ({ params, query, request }) =>
      press(params, request, async () => sendTo(params, await services.payOnPage(params.debtId, askedBy(query)))),
  });

  const buttonsOf = (path: string, params: z.ZodType<ButtonPage>, where: string): Route[] => {
    const facts = { ...PAGE_ROUTE, params } as const;
    return [
      ...CHECKOUT_BUTTONS.map((button) =>
        defineRoute({
          ...facts,
          method: 'POST',
          path: `${path}/${button}`,
          operationId: `${OPERATIONS[button]}${where}`,
          summary: SUMMARIES[button],
          description: 'The body may be a form with the field `reason`, which the staff of the creditor read.',
          bodyType: 'raw',
          bodyLimit: FORM_LIMIT,
          body: z.instanceof(Buffer),
          responses: back,
          errors: ['rate_limited', 'origin_refused'],
          handler: ({ params: page, body, request }) => {
            const reason = new URLSearchParams(body.toString()).get('reason') ?? '';
            return press(page, request, async () =>
              sendTo(page, await services.pressButton({ ...page, button, reason })),
            );
          },
        }),
      ),
      ...ASKED_FIRST.map((button) =>
        defineRoute({
          ...facts,
          method: 'GET',
          path: `${path}/${button}`,
          operationId: `${OPERATIONS[button]}${where}Question`,
          summary: `Page that asks before: ${SUMMARIES[button]}`,
          responses: pageAnswer,
          errors: [],
          handler: async ({ params: page }) => {
            const question = await services.readButtonPage(page);
            return { status: 200, body: askPage(page, button, question), headers: PRIVATE_PAGE };
          },
        }),
      ),
    ];
  };

  return [
    page,
    ofPerson,
    shortLink,
    payTest,
    ...buttonsOf('/checkout/:debtId', debtParams, 'OnPage'),
    ...buttonsOf('/pay/:pageId', pageParams, 'OnPersonPage'),
    ...agreementPageRoutes(services, press),
    fileRoute({
      path: CHECKOUT_SCRIPT_PATH,
      name: 'checkout.js',
      operationId: 'getCheckoutScript',
      summary: 'Script of the page',
      tags,
    }),
    fileRoute({
      path: PIX_SCRIPT_PATH,
      name: 'pix.js',
      operationId: 'getPixScript',
      summary: 'Script of the codes on both pages',
      tags,
    }),
    fileRoute({
      path: PERSON_SCRIPT_PATH,
      name: 'person.js',
      operationId: 'getPersonScript',
      summary: 'Script of the page of a person',
      tags,
    }),
  ];
}
