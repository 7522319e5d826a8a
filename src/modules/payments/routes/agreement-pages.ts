import { z } from 'zod';
import { parseLocalDate } from '../../../kernel/calendar.ts';
import { AppError } from '../../../kernel/errors.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { fieldProblems } from '../../../platform/http/field-problems.ts';
import type { SentOn } from '../use-cases/offers-on-page.ts';
import type { ButtonPage } from '../use-cases/press-button.ts';
import {
  back,
  isBrowser,
  noticeQuery,
  PAGE_ROUTE,
  PRIVATE_PAGE,
  type Press,
  pageAnswer,
  pageParams,
  sendTo,
} from './debtor-page.ts';
import { acceptPage, offersPage } from './pages/offers.ts';
import { debtParams } from './payments.ts';

/** A form of these pages has a few short fields. */
const FORM_LIMIT = 2_048;
const offerId = z.uuid().transform((id) => id.toLowerCase());
const SENT_ON = { 303: { description: 'To the page that has what the visitor needs' } } as const;

const moveForm = z.object({
  instalment: z
    .string()
    .regex(/^[1-9]\d{0,2}$/)
    .transform(Number),
  to: z.string().refine((day) => parseLocalDate(day) !== null),
  protocol: z.string().max(40).optional(),
});

function readMove(body: Buffer): z.output<typeof moveForm> {
  const form = Object.fromEntries(new URLSearchParams(body.toString()));
  const { data, error } = moveForm.safeParse(form);
  if (data !== undefined) return data;
  throw new AppError('validation_failed', {
    detail: 'The form has an `instalment` and a date `to`, YYYY-MM-DD.',
    errors: fieldProblems(error.issues, form, 'body'),
  });
}

const sendOn = (page: ButtonPage, { to, noticeId }: SentOn) => sendTo(page, noticeId, to === 'offers' ? '/offers' : '');

type AgreementPageServices = HttpDeps['services'];

/** The offers to a debtor, and the form that moves a date of their agreement, on the page of a debt or a person. */
const routesOf = (
  services: AgreementPageServices,
  press: Press,
  page: {
    readonly path: string;
    readonly params: z.ZodType<ButtonPage>;
    readonly ofOffer: z.ZodType<ButtonPage & { readonly offerId: string }>;
    readonly where: string;
  },
): Route[] => {
  const { path, params, ofOffer, where } = page;
  return [
    defineRoute({
      ...PAGE_ROUTE,
      method: 'GET',
      path: `${path}/offers`,
      operationId: `getOffers${where}`,
      summary: 'The page of the offers to the debtor, which are made when they are asked for first',
      description: 'Where nothing is offered the page says so without the reason.',
      params,
      query: noticeQuery,
      responses: pageAnswer,
      errors: [],
      handler: async ({ params: shown, query }) => ({
        status: 200,
        body: offersPage(shown, await services.openOffersPage(shown, query.aviso)),
        headers: PRIVATE_PAGE,
      }),
    }),
    defineRoute({
      ...PAGE_ROUTE,
      method: 'GET',
      path: `${path}/offers/:offerId/accept`,
      operationId: `acceptOffer${where}Question`,
      summary: 'Page that asks before an offer is accepted: it shows the text that will be stored',
      description: 'An offer that ended leads to the page of the offers, and an accepted one to the agreement.',
      params: ofOffer,
      responses: { ...pageAnswer, ...SENT_ON },
      errors: [],
      handler: async ({ params: offer }) => {
        const asked = await services.readOfferOnPage(offer);
        return 'to' in asked
          ? sendOn(offer, asked)
          : { status: 200, body: acceptPage(offer, offer.offerId, asked), headers: PRIVATE_PAGE };
      },
    }),
    defineRoute({
      ...PAGE_ROUTE,
      method: 'POST',
      path: `${path}/offers/:offerId/accept`,
      operationId: `acceptOffer${where}`,
      summary: 'The debtor accepts an offer',
      description:
        'Pressing twice accepts once. An offer that ended leads a browser to the page of the offers, and one that was accepted before to the agreement; a program is answered 409.',
      params: ofOffer,
      responses: SENT_ON,
      errors: ['offer_ended', 'rate_limited', 'origin_refused'],
      handler: ({ params: offer, request }) =>
        press(offer, request, async () =>
          sendOn(offer, await services.acceptOnPage({ ...offer, isBrowser: isBrowser(request) })),
        ),
    }),
    defineRoute({
      ...PAGE_ROUTE,
      method: 'POST',
      path: `${path}/agreement/move`,
      operationId: `moveInstalment${where}`,
      summary: 'The debtor moves the due date of an instalment',
      description:
        'The body is a form with `instalment` (its number), `to` (`YYYY-MM-DD`) and, where the page shows several agreements, `protocol`. The page then says whether the date was moved.',
      bodyType: 'raw',
      bodyLimit: FORM_LIMIT,
      body: z.instanceof(Buffer),
      params,
      responses: back,
      errors: ['rate_limited', 'origin_refused'],
      handler: ({ params: shown, body, request }) =>
        press(shown, request, async () => sendTo(shown, await services.moveOnPage({ ...shown, ...readMove(body) }))),
    }),
  ];
};

export const agreementPageRoutes = (services: AgreementPageServices, press: Press): Route[] => [
  ...routesOf(services, press, {
    path: '/checkout/:debtId',
    params: debtParams,
    ofOffer: debtParams.extend({ offerId }),
    where: 'OnPage',
  }),
  ...routesOf(services, press, {
    path: '/pay/:pageId',
    params: pageParams,
    ofOffer: pageParams.extend({ offerId }),
    where: 'OnPersonPage',
  }),
];
