import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { localDate, parseLocalDate, parseMoment } from '../../../kernel/calendar.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams, page, pageQuery } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { debtStateSchema } from '../../debts/routes/schemas.ts';
import { requiredStaffText } from '../../debts/routes/staff-text.ts';
import { LISTING_STATES } from '../rules/listing-states.ts';

/** America/Sao_Paulo, by whose days offices write. */
const OFFSET = -3;
const MAX_BUREAU = 60;
const tags = ['Debts'];

/** A moment stands for its day. */
const day = (description: string) =>
  z
    .string()
    .transform((text, context) => {
      const given = text.slice(0, 40);
      const moment = parseMoment(given);
      const date = parseLocalDate(given) ?? (moment === null ? null : localDate(moment, OFFSET));
      if (date !== null) return date;
      const message = 'A date or an ISO 8601 moment with an offset';
      context.addIssue({ code: 'custom', params: { code: 'date_invalid' }, message });
      return z.NEVER;
    })
    .meta({ description });

const bureau = requiredStaffText(MAX_BUREAU).meta({ description: 'Its name, such as Serasa or SPC Brasil' });

const listing = z
  .object({
    id: z.uuid(),
    debtId: z.uuid(),
    debtorName: z.string(),
    invoiceId: z.string().nullable(),
    bureau: z.string(),
    at: z.iso.date().describe('The day of the listing'),
    notifiedAt: z.iso.date().describe('The day of the notice'),
    state: z
      .enum(LISTING_STATES)
      .describe(
        '`listed`: the debt is owed; `to_remove`: it is paid or agreed about; `late`: the term for that has ended; `removed`',
      ),
    dueAt: z.iso.datetime().nullable().describe('Until when it has to be removed'),
    removedAt: z.iso.date().nullable().describe('The day of the removal'),
    sandbox: z.boolean(),
  })
  .meta({ id: 'BureauListing' });

const changed = { 200: { description: 'The debt as it is now, without its timeline', schema: debtStateSchema } };

export const negativationRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/debts/:id/negativation',
    operationId: 'recordNegativation',
    right: 'manage',
    summary: 'Record that you have listed a debt at a credit bureau',
    description:
      'This service lists nobody: it keeps what you say, and its terms. 409 `notice_missing` unless the debtor was told at least 10 days before, or as long before as the law of the debtor’s state wants. 409 `debt_state` where nothing is owed, the debt is disputed, older than five years, or listed at this bureau already.',
    tags,
    auth: 'bearer',
    idempotent: true,
    params: idParams,
    body: z.object({
      bureau,
      at: day('When it was listed; not in the future'),
      notifiedAt: day('When the debtor was told of it in writing; without it 409 `notice_missing`').nullish(),
    }),
    responses: changed,
    errors: ['notice_missing', 'debt_state'],
    handler: async ({ caller, params: { id: debtId }, body, request }) => {
      const { clientId } = caller;
      await services.recordListing({
        clientId,
        debtId,
        listingId: request.workId ?? randomUUID(),
        bureau: body.bureau,
        listedOn: body.at,
        notifiedOn: body.notifiedAt ?? null,
        source: sourceOf(caller, request),
      });
      return { status: 200, body: await services.readDebtState({ clientId, debtId }) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/debts/:id/negativation/removed',
    operationId: 'recordNegativationRemoved',
    right: 'manage',
    summary: 'Record that a listing was removed',
    description:
      'Without `bureau` it is about all listings of the debt. After a payment or an agreement you have five business days, of which the inbox reminds you (`negativation`).',
    tags,
    auth: 'bearer',
    idempotent: true,
    params: idParams,
    body: z.object({ at: day('When it was removed; not in the future'), bureau: bureau.optional() }),
    responses: changed,
    errors: ['debt_state'],
    handler: async ({ caller, params: { id: debtId }, body, request }) => {
      const { clientId } = caller;
      await services.recordRemoval({
        clientId,
        debtId,
        removedOn: body.at,
        bureau: body.bureau,
        source: sourceOf(caller, request),
      });
      return { status: 200, body: await services.readDebtState({ clientId, debtId }) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/reports/negativations',
    operationId: 'listNegativations',
    right: 'read',
    summary: 'What you have listed at credit bureaus, and what has to be removed until when',
    tags,
    auth: 'bearer',
    query: pageQuery.extend({ state: z.enum(LISTING_STATES).optional(), debtId: z.uuid().optional() }),
    responses: { 200: { description: 'A page, the newest first', schema: page(listing) } },
    errors: [],
    handler: async ({ caller: { clientId }, query }) => ({
      status: 200,
      body: await services.reportListings({ clientId, ...query }),
    }),
  }),
];
