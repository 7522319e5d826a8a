import { z } from 'zod';
import { CAMPAIGN_STATUSES } from '../../../domain/campaign-status.ts';
import { DEBT_STATUSES, type DebtStatus } from '../../../domain/debt-status.ts';
import { REAL_CHANNELS } from '../../../domain/messaging-channels.ts';
import { plainText } from '../../../domain/plain-text.ts';

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

export const campaignSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    status: z.enum(CAMPAIGN_STATUSES),
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
    createdAt: z.iso.datetime(),
    launchedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Campaign' });

export const debtStatus = z.enum(DEBT_STATUSES);

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
    originalAmount: z.number().describe('Reais'),
    dueDate: z.string().describe('YYYY-MM-DD'),
    invoiceId: z.string().nullable(),
    consentAt: z
      .string()
      .nullable()
      .describe('When the debtor agreed to the use of their data: YYYY-MM-DD, or a moment in UTC'),
    consentSource: z.string().nullable().describe('How the debtor agreed'),
  })
  .meta({ id: 'Debt' });

export const timelineEntry = z
  .looseObject({ at: z.iso.datetime(), kind: z.string() })
  .describe('The other members depend on the kind')
  .meta({ id: 'TimelineEntry' });

const countByStatus = Object.fromEntries(DEBT_STATUSES.map((status) => [status, z.int()])) as Record<
  DebtStatus,
  z.ZodInt
>;

export const recoveryFigures = z.object({
  debts: z.object({ total: z.int(), byStatus: z.object(countByStatus) }),
  amount: z.object({ total: z.number(), recovered: z.number() }),
  recoveryRate: z.number().min(0).max(1),
  contacts: z.object({ sent: z.int(), blocked: z.int(), received: z.int() }),
  payments: z.object({ approved: z.int() }),
});

/** `?status=` without a value does not filter. */
export const filter = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const scoreReason = z.object({ code: z.string(), points: z.number(), text: z.string() });

export const debtDetailsSchema = z.object({
  ...debtSchema.shape,
  staffAnswersUntil: z.iso
    .datetime()
    .nullable()
    .describe('Until when your staff have the conversation, by the debt’s own clock; null when the agent has it'),
  scoreReasons: z.array(scoreReason).nullable().describe('The reasons of the score'),
  timeline: z.array(timelineEntry),
});
