import { z } from 'zod';
import { AppError } from '../../../domain/errors.ts';
import { PAGE_CODE, pageOfCode } from '../../../services/debts/page-code.ts';
import { CHECKOUT_BUTTONS, type CheckoutButton } from '../../../services/payments/press-button.ts';
import { defineRoute, type Route, type RouteRequest } from '../../define-route.ts';
import type { HttpDeps } from '../../deps.ts';
import { CHECKOUT_SCRIPT_PATH, checkoutPage, nothingPage } from '../../pages/checkout.ts';
import { PERSON_SCRIPT_PATH, personPage } from '../../pages/person.ts';
import { PAGE_TYPE } from '../../pages/public-page.ts';
import { createKeyedRate } from '../../rate-limit.ts';
import { requireSameOrigin } from '../../same-origin.ts';
import { fileRoute } from '../file-route.ts';
import { debtParams } from './payments.ts';

const tags = ['Checkout'];
/** The page of one debt needs no more presses of buttons per minute. */
const PRESSES_A_MINUTE = 10;

const SUMMARIES: Readonly<Record<CheckoutButton | 'pay', string>> = {
  'said-paid': 'The debtor says that the debt is paid',
  dispute: 'The debtor does not know this debt',
  'opt-out': 'The debtor wants no more messages',
  pay: 'Pay a sandbox debt from its page',
};
const OPERATIONS: Readonly<Record<CheckoutButton | 'pay', string>> = {
  'said-paid': 'sayPaidOnPage',
  dispute: 'disputeOnPage',
  'opt-out': 'optOutOnPage',
  pay: 'payOnPage',
};

const PRIVATE_PAGE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' };

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
    query: z.object({ aviso: z.string().optional().describe('The notice after a button; shown once') }),
    responses: { 200: { description: 'The page, in Portuguese', contentType: PAGE_TYPE } },
    errors: [],
    handler: async ({ params, query }) => {
      const checkout = await services.openCheckout(params.debtId, query.aviso);
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
    params: z.object({ pageId: z.uuid().transform((id) => id.toLowerCase()) }),
    responses: { 200: { description: 'The page, in Portuguese', contentType: PAGE_TYPE } },
    errors: [],
    handler: async ({ params }) => {
      const person = await services.openPersonPage(params.pageId);
      return { status: 200, body: person === null ? nothingPage() : await personPage(person), headers: PRIVATE_PAGE };
    },
  });

  const shortLink = defineRoute({
    method: 'GET',
    path: '/p/:code',
    operationId: 'followShortLink',
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
      const path = page.kind === 'debt' ? '/checkout' : '/pay';
      return { status: 302, headers: { ...PRIVATE_PAGE, Location: `${path}/${page.id}` } };
    },
  });

  const takeFromDebt = createKeyedRate({ points: PRESSES_A_MINUTE, durationSeconds: 60 });
  const button = (name: CheckoutButton | 'pay', press: (debtId: string) => Promise<string | null>): Route =>
    defineRoute({
      method: 'POST',
      path: `/checkout/:debtId/${name}`,
      operationId: OPERATIONS[name],
      summary: SUMMARIES[name],
      tags,
      auth: 'none',
      rate: 'public',
      params: debtParams,
      responses: { 303: { description: 'Back to the page' } },
      errors: ['rate_limited', 'origin_refused'],
      handler: async ({ params, request }: { params: { debtId: string }; request: RouteRequest }) => {
        await takeFromDebt(params.debtId);
        requireSameOrigin(request, config.publicUrl);
        const notice = await press(params.debtId);
        const query = notice === null ? '' : `?aviso=${notice}`;
        return { status: 303, headers: { Location: `/checkout/${params.debtId}${query}` } };
      },
    });

  return [
    page,
    ofPerson,
    shortLink,
    ...CHECKOUT_BUTTONS.map((name) => button(name, (debtId) => services.pressButton({ debtId, button: name }))),
    button('pay', services.payOnPage),
    fileRoute({
      path: CHECKOUT_SCRIPT_PATH,
      name: 'checkout.js',
      operationId: 'getCheckoutScript',
      summary: 'Script of the page',
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
