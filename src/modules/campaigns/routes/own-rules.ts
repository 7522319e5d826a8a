import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { hasRoom, hoursField, timesAreRight } from '../../debts/routes/schemas.ts';
import { MAX_CAP_HOURS } from '../../policy/rules/campaign-settings.ts';

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const weekday = z.enum(WEEKDAYS);
const MAX_CAPS = 5;
const MAX_AFTER_DUE = 365;

const hours = hoursField.nullable().default(null);
const otherRules = {
  weekdays: z.array(weekday).min(1).max(7).nullable().default(null).describe('The days on which contacts are made'),
  caps: z
    .array(z.object({ count: z.int().min(1).max(100), hours: z.int().min(1).max(MAX_CAP_HOURS) }))
    .max(MAX_CAPS)
    .default([])
    .describe('At most so many contacts of a person in so many hours'),
  daysAfterDue: z.int().min(0).max(MAX_AFTER_DUE).nullable().default(null),
};

const noTime = z.never('Hours are both `from` and `to`, as HH:MM').optional();

/** The hours may also stand in the body itself, because the contract writes them so; elsewhere they would be ignored. */
const ownRulesBody = z.union([
  z.object({ hours, ...otherRules, from: noTime, to: noTime }),
  z
    .object({ ...otherRules, ...hoursField.shape })
    .refine(hasRoom, {
      path: ['to'],
      when: timesAreRight,
      params: { code: 'hours_empty' },
      message: 'At least one hour after `from`',
    })
    .transform(({ from, to, ...rules }) => ({ ...rules, hours: { from, to } })),
]);

const ownRulesView = z
  .object({
    version: z.int().describe('Verdicts name it as `ownVersion`; 0 before the first change'),
    since: z.iso.datetime().nullable(),
    hours: z.object({ from: z.string(), to: z.string() }).nullable(),
    weekdays: z.array(weekday).nullable(),
    caps: z.array(z.object({ count: z.int(), hours: z.int() })).readonly(),
    daysAfterDue: z.int().nullable(),
  })
  .meta({ id: 'OwnRules' });

type Services = HttpDeps['services'];
const shown = ({ version, since, rules }: Awaited<ReturnType<Services['readOwnRules']>>) => ({
  version,
  since,
  ...rules,
  weekdays: rules.weekdays?.map((day) => WEEKDAYS[day]!) ?? null,
});

export const ownRuleRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/policy/own',
    operationId: 'getOwnRules',
    right: 'review',
    namesNobody: true,
    summary: 'The rules by which you are stricter than the policy',
    tags: ['Policy'],
    auth: 'bearer',
    responses: { 200: { description: 'Your rules', schema: ownRulesView } },
    errors: [],
    handler: async ({ caller: { clientId } }) => ({ status: 200, body: shown(await services.readOwnRules(clientId)) }),
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/policy/own',
    operationId: 'changeOwnRules',
    right: 'manage',
    stepUp: 'always',
    summary: 'Be stricter than the policy, in all campaigns',
    description:
      'Replaces your rules. They are added to those of the policy, and every rule has to allow a contact, so they can only be stricter. They hold for every contact that is not made yet.',
    tags: ['Policy'],
    auth: 'jwt',
    body: ownRulesBody,
    responses: { 200: { description: 'Your rules as they are now', schema: ownRulesView } },
    errors: [],
    handler: async ({ caller, body: { hours, weekdays, caps, daysAfterDue }, request }) => {
      const days = weekdays?.map((day) => WEEKDAYS.indexOf(day)) ?? null;
      const rules = { hours, weekdays: days, caps, daysAfterDue };
      const source = sourceOf(caller, request);
      return { status: 200, body: shown(await services.changeOwnRules({ clientId: caller.clientId, rules, source })) };
    },
  }),
];
