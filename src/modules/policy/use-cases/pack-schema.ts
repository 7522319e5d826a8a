import { z } from 'zod';
import { parseLocalDate } from '../../../kernel/calendar.ts';
import { STATES } from '../../../kernel/phone.ts';
import { COUNTED_CONTACT_DAYS } from '../../../kernel/retention-periods.ts';
import { BOUND_CLIENTS, CHANNELS, LEGAL_STATUSES, REQUIRED_RULES } from '../rules/policy-pack.ts';

const date = z
  .string()
  .max(10)
  .refine((value) => parseLocalDate(value) !== null, 'is not a date');
const text = z.string().trim().min(1).max(4_000);
const whole = z.int().min(1);
const list = <Item extends z.ZodType>(item: Item, most: number) => z.array(item).min(1).max(most);
const minutes = z
  .string()
  .max(5)
  .regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/)
  .transform((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));

const page = z.url({ protocol: /^https?$/ }).max(2_000);

/** Says what a member is for when a file lacks it, and leaves every other problem to the schema. */
const orSay = (missing: string) => ({
  error: ({ input }: { readonly input: unknown }) => (input === undefined ? missing : undefined),
});

// They are named, because programs that make clients would otherwise give list and member the same name.
const channel = z.enum(CHANNELS).meta({ id: 'PolicyChannel' });
const state = z.enum(STATES).meta({ id: 'BrazilianState' });

const record = {
  id: text.max(100),
  status: z.enum(LEGAL_STATUSES),
  source: text,
  foundAt: list(page, 50),
  note: text.nullable(),
  checkedAt: z.string(orSay('is missing: the day on which it was looked up whether the rule is in force')).pipe(date),
  statusProof: z
    .strictObject(
      { seen: text, url: page.nullable() },
      orSay('is missing: where the rule was seen to be in force, or null'),
    )
    .nullable(),
  binds: z.enum(BOUND_CLIENTS, orSay('is missing: "all" or "collectors"')),
  effectiveFrom: date.nullable(),
  effectiveTo: date.nullable(),
  channels: z.union([z.literal('all'), list(channel, CHANNELS.length)]),
  states: z.union([z.literal('all'), list(state, STATES.length)]),
};

const window = z
  .strictObject({ days: list(z.int().min(0).max(6), 7), from: minutes, to: minutes })
  .refine(({ from, to }) => from < to, 'ends before it begins');

const rule = z.discriminatedUnion('rule', [
  z.strictObject({ ...record, rule: z.literal('window'), windows: list(window, 50) }),
  z.strictObject({ ...record, rule: z.literal('holidays'), national: z.boolean(), state: z.boolean() }),
  z.strictObject({
    ...record,
    rule: z.literal('caps'),
    count: whole.max(1_000),
    period: z.union([
      z.literal('calendar_day'),
      z.strictObject({ hours: whole.max(COUNTED_CONTACT_DAYS * 24, 'looks back further than contacts are counted') }),
    ]),
    countedPer: list(z.enum(['person', 'phone']), 2),
  }),
  z.strictObject({ ...record, rule: z.literal('due'), daysAfterDue: z.int().min(0).max(3_650) }),
  z.strictObject({ ...record, rule: z.literal('prescription'), years: whole.max(100) }),
  z.strictObject({ ...record, rule: z.literal(['opt_out', 'dispute', 'hold', 'wrong_person']) }),
  z.strictObject({ ...record, rule: z.literal(['promise', 'said_paid']), businessDays: z.int().min(0).max(260) }),
  z.strictObject({ ...record, rule: z.literal('inbox'), retryMinutes: whole.max(10_080) }),
  z.strictObject({ ...record, rule: z.literal('reply'), perMessage: whole.max(1_000), perDay: whole.max(1_000) }),
  z.strictObject({
    ...record,
    rule: z.literal('person_answering'),
    hours: whole.max(8_784),
    businessDays: whole.max(260),
  }),
  z.strictObject({ ...record, rule: z.literal('receipt'), sendingsPerDay: whole.max(1_000) }),
  z.strictObject({ ...record, rule: z.literal('identity'), requires: list(text, 100) }),
  z.strictObject({ ...record, rule: z.literal('free_text'), hours: whole.max(8_784) }),
]);

/** A source that is a bill by itself; the source of a law may name the bill that it was. */
const IS_BILL = /^(?:projeto de lei|pl)\b/i;

/** Far more than the laws of 27 states need; what is decided takes longer with each rule. */
const MAX_RULES = 500;

const pack = { id: text.max(100), version: text.max(100), jurisdiction: text.max(100), rules: list(rule, MAX_RULES) };

export const policyPackSchema = z.strictObject(pack).superRefine(({ rules }, context) => {
  const seen = new Set<string>();
  for (const { id } of rules) {
    if (seen.has(id)) context.addIssue({ code: 'custom', path: ['rules'], message: `has ${id} twice` });
    seen.add(id);
  }
  for (const kind of REQUIRED_RULES) {
    if (rules.some((one) => one.rule === kind && one.status !== 'bill' && one.binds === 'all')) continue;
    context.addIssue({ code: 'custom', path: ['rules'], message: `has no rule ${kind}` });
  }
  for (const [index, { status, source, statusProof }] of rules.entries()) {
    const refuse = (member: string, message: string) =>
      context.addIssue({ code: 'custom', path: ['rules', index, member], message });
    if (status === 'law' && IS_BILL.test(source)) refuse('status', 'is "law", but its source is a bill');
    if (status === 'bill' && statusProof !== null)
      refuse('statusProof', 'must be null, because a bill is not in force');
  }
});

/**
 * The schema of a file of `policies/bills`: the rules that a bill would bring, beside a pack. It binds nobody and is read
 * only by who asks what would change.
 */
export const billPackSchema = z
  .strictObject({ ...pack, addsTo: text.max(100), bill: text })
  .superRefine(({ rules }, context) => {
    for (const [index, { status, statusProof }] of rules.entries()) {
      const refuse = (member: string, message: string) =>
        context.addIssue({ code: 'custom', path: ['rules', index, member], message });
      if (status !== 'bill') refuse('status', 'must be "bill" in the pack of a bill');
      if (statusProof !== null) refuse('statusProof', 'must be null, because a bill is not in force');
    }
  });
