import { z } from 'zod';
import { DEBT_STATUSES, type DebtStatus } from '../../../kernel/debt-status.ts';
import { REAL_CHANNELS } from '../../../kernel/messaging-channels.ts';
import { plainText } from '../../../kernel/plain-text.ts';
import { reais } from '../../../platform/http/fields.ts';
import { refuseSpeech } from '../../accounts/routes/account-fields.ts';
import { author } from '../../accounts/routes/author.ts';
import { campaignStatus, debtStatus } from '../../events/routes/schemas.ts';
import { minutesOf } from '../../policy/rules/campaign-settings.ts';
import { MAX_SEQUENCE_STEPS, STEP_KINDS, TONES } from '../../policy/rules/collection-sequence.ts';
import { MAX_DAYS_BEFORE, MAX_REMINDERS } from '../../policy/rules/reminder-days.ts';
import { ON_PARTIAL } from '../rules/debt-payments.ts';
import { timelineEntry } from './timeline-entry.ts';

/** A name with a slash, an at sign or the end of a domain leads somewhere. */
const LOOKS_LIKE_A_LINK = /[@/\\]|\.[a-z]{2}/i;

export const campaignName = z
  .string()
  .refine((name) => plainText(name, 1, 200) !== null, {
    params: { code: 'name_invalid' },
    message: 'A name has 1 to 200 characters, none of them a control character',
  })
  .transform((name) => name.trim());

/** Which of the channels are connected is checked at the launch. */
export const campaignChannels = z
  .array(z.enum(REAL_CHANNELS))
  .min(1)
  .max(REAL_CHANNELS.length)
  .superRefine((channels, issues) => {
    for (const [at, channel] of channels.entries()) {
      if (channels.indexOf(channel) === at) continue;
      issues.addIssue({
        code: 'custom',
        path: [at],
        params: { code: 'duplicate' },
        message: 'This channel is repeated',
      });
    }
  })
  .describe('The channels in the order in which they are tried; without them, all that are connected');

const time = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/)
  .describe('A time of the day, such as 09:00');

const LEAST_MINUTES = 60;

/** Tells whether hours are at least one hour, so that a wave of contacts has room. */
export const hasRoom = ({ from, to }: { readonly from: string; readonly to: string }): boolean =>
  minutesOf(to) - minutesOf(from) >= LEAST_MINUTES;

/** A time that is none has a problem of its own, and makes no hours that could be too short. */
export const timesAreRight = ({ issues }: z.core.ParsePayload): boolean =>
  issues.every(({ path = [] }) => path.length > 0 && path[0] !== 'from' && path[0] !== 'to');

export const hoursField = z
  .object({ from: time, to: time })
  .refine(hasRoom, {
    when: timesAreRight,
    params: { code: 'hours_empty' },
    message: 'These hours end at least one hour after they begin',
  })
  .describe('Hours at the debtor’s place; they only narrow those of the policy');

const MAX_WAIT_DAYS = 90;

const sequenceStep = z.object({
  kind: z.enum(STEP_KINDS),
  tone: z.enum(TONES),
  thenWaitDays: z.int().min(0).max(MAX_WAIT_DAYS).describe('Days before the contact that follows'),
});

export const sequenceField = z
  .array(sequenceStep)
  .min(1)
  .max(MAX_SEQUENCE_STEPS)
  .superRefine((steps, issues) => {
    const add = (path: (string | number)[], message: string) =>
      issues.addIssue({ code: 'custom', path, params: { code: 'sequence_invalid' }, message });
    if (steps.length > 0 && steps[0]?.kind !== 'first') add([0, 'kind'], 'A sequence begins with the step `first`');
    for (const [at, { kind, thenWaitDays }] of steps.entries()) {
      const isLast = at === steps.length - 1;
      if (at > 0 && kind === 'first') add([at, 'kind'], 'Only the first step is `first`');
      if (!isLast && kind === 'last') add([at, 'kind'], 'Only the last step may be `last`');
      if (!isLast && thenWaitDays === 0) add([at, 'thenWaitDays'], 'Only the last step may wait 0 days');
    }
  })
  .describe('The contacts in their order, and the days between them');

export const remindersField = z
  .object({
    daysBefore: z
      .array(z.int().min(0).max(MAX_DAYS_BEFORE))
      .max(MAX_REMINDERS)
      .superRefine((days, issues) => {
        for (const [at, day] of days.entries()) {
          if (days.indexOf(day) === at) continue;
          const message = 'This day is repeated';
          issues.addIssue({ code: 'custom', path: [at], params: { code: 'duplicate' }, message });
        }
      })
      .describe('So many days before the due date, which is 0'),
  })
  .describe(
    'The days on which debtors are reminded of a bill that is not due yet. A reminder counts as a contact for every cap',
  );

export const senderField = z
  .string()
  .refine((name) => plainText(name, 2, 60) !== null && !LOOKS_LIKE_A_LINK.test(name), {
    params: { code: 'name_invalid' },
    message: 'A sender has 2 to 60 characters in one line, without a link',
  })
  .superRefine(refuseSpeech)
  .transform((name) => name.trim())
  .describe(
    'The name by which messages call the creditor; the name of the account stands beside it. A sender that the operator has not seen ends its check',
  );

export const campaignSettings = {
  channels: campaignChannels.nullable(),
  sequence: sequenceField.nullable(),
  hours: hoursField.nullable(),
  reminders: remindersField.nullable(),
  sender: senderField.nullable(),
};

export const campaignSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    status: campaignStatus,
    sandbox: z
      .boolean()
      .nullable()
      .describe(
        'Whether it is collected in the sandbox; null until the launch decides. An example is so from the start',
      ),
    channels: z
      .array(z.enum(REAL_CHANNELS))
      .nullable()
      .describe('The channels in the order in which they are tried; null for all that are connected'),
    sequence: z
      .array(
        z.object({ kind: z.enum(STEP_KINDS), tone: z.enum(TONES), thenWaitDays: z.int() }).meta({ id: 'SequenceStep' }),
      )
      .nullable()
      .describe('Its own contacts; null for those that `GET /api/policy` shows'),
    hours: z.object({ from: z.string(), to: z.string() }).nullable().describe('Null for the hours of the policy'),
    reminders: z
      .object({ daysBefore: z.array(z.int()) })
      .nullable()
      .describe('The days before the due date on which debtors are reminded; null for none'),
    sender: z.string().nullable().describe('Null for the name of the account'),
    onPartial: z.enum(ON_PARTIAL).describe('What follows when a debtor has paid a part'),
    createdAt: z.iso.datetime(),
    launchedAt: z.iso.datetime().nullable(),
    launchedBy: author.optional().describe('The member who launched it'),
  })
  .meta({ id: 'Campaign' });

export const debtSchema = z
  .object({
    id: z.uuid(),
    campaignId: z.uuid(),
    status: debtStatus,
    score: z.int().nullable(),
    debtorName: z.string(),
    debtorPhone: z.string().describe('The phone in use, in E.164'),
    debtorPhones: z.array(z.string()).describe('All phones of the debt, in the order of the import'),
    debtorCpf: z.string().nullable().describe('Eleven digits; null for a company'),
    debtorCnpj: z.string().nullable().describe('Fourteen digits or capital letters; null for a person'),
    debtorEmail: z.string().nullable().describe('The e-mail address in use'),
    debtorEmails: z.array(z.string()).describe('All e-mail addresses of the debt, in the order of the import'),
    originalAmount: reais.describe('Reais'),
    dueDate: z.string().describe('YYYY-MM-DD'),
    invoiceId: z.string().nullable(),
    consentAt: z
      .string()
      .nullable()
      .describe('When the debtor agreed to the use of their data: YYYY-MM-DD, or a moment in UTC'),
    consentSource: z.string().nullable().describe('How the debtor agreed'),
    description: z.string().nullable().describe('What the debt is for, as the debtor reads it'),
  })
  .meta({ id: 'Debt' });

const countByStatus = Object.fromEntries(DEBT_STATUSES.map((status) => [status, z.int()])) as Record<
  DebtStatus,
  z.ZodInt
>;

const debtCounts = z.object({ total: z.int(), byStatus: z.object(countByStatus) }).meta({ id: 'DebtCounts' });
const contactCounts = z
  .object({
    sent: z.int().describe('Messages that collect; notices of agreements are none'),
    reminders: z.int().describe('Reminders of bills before they fall due'),
    blocked: z.int(),
    received: z.int(),
  })
  .meta({ id: 'ContactCounts' });

const lateCharges = { fine: z.number(), interest: z.number(), correction: z.number() };

export const agingFigures = z
  .array(z.object({ fromDays: z.int(), toDays: z.int().nullable(), debts: z.int(), amount: z.number() }))
  .meta({ id: 'AgingFigures' });

const agreementFigures = z
  .object({
    open: z.int(),
    kept: z.int(),
    broken: z.int(),
    recovered: z.number().describe('What you still have of the money that came by them, in reais'),
    byAge: agingFigures.describe('The debts of the open ones by days past due, with their original amounts'),
  })
  .meta({ id: 'AgreementFigures' })
  .describe('Agreements that have a debt in the campaign. One that your staff cancelled does not count');

export const recoveryFigures = z.object({
  debts: debtCounts,
  amount: z.object({ total: z.number(), recovered: z.number() }),
  charged: z
    .object(lateCharges)
    .meta({ id: 'LateCharges' })
    .describe('What your terms of late payment had added when the payments came, in reais'),
  recoveredBy: z
    .object({ principal: z.number(), ...lateCharges })
    .meta({ id: 'RecoveredBy' })
    .describe('What the recovered money was credited to, in reais'),
  recoveryRate: z.number().min(0).max(1),
  contacts: contactCounts,
  payments: z.object({ approved: z.int() }),
  agreements: agreementFigures,
});

/** `?status=` without a value does not filter. */
export const filter = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const scoreReason = z.object({ code: z.string(), points: z.number(), text: z.string() }).meta({ id: 'ScoreReason' });

const stateFields = {
  ...debtSchema.shape,
  staffAnswersUntil: z.iso
    .datetime()
    .nullable()
    .describe('Until when your staff have the conversation, by the debt’s own clock; null when the agent has it'),
  clock: z.iso.datetime().nullable().describe('The debt’s own time in the sandbox; null for a real debt'),
  scoreReasons: z.array(scoreReason).nullable().describe('The reasons of the score'),
  rightsUrl: z
    .string()
    .nullable()
    .describe('The page of rights of the person, the same for all their debts with you; null once they were erased'),
};

/** Who works on the case of a debt. */
export const caseWorkers = {
  assignee: author.optional().describe('The member who has the case; absent when nobody has it'),
  viewing: z.array(author).readonly().describe('The other members who have the case open now'),
};

/** A debt as an action on it answers. */
export const debtStateSchema = z.object(stateFields).meta({ id: 'DebtState' });

export const debtDetailsSchema = z.object({
  ...stateFields,
  timeline: z.array(timelineEntry).describe('The last 200 entries, in the order of happening'),
  timelineCursor: z.string().nullable().describe('For `GET /api/debts/{id}/timeline`; null when these are all'),
  ...caseWorkers,
});
