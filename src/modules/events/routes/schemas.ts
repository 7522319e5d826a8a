import { z } from 'zod';
import { CAMPAIGN_STATUSES } from '../../../kernel/campaign-status.ts';
import { DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import {
  DELIVERY_STATES,
  DISABLED_REASONS,
  EVENT_TYPES,
  type EventType,
  TEST_EVENT,
  WEBHOOK_STATES,
} from '../../../kernel/event-types.ts';
import { REVOKED_REASONS } from '../../../kernel/revoked-reasons.ts';
import { reais } from '../../../platform/http/fields.ts';

const common = {
  sandbox: z.boolean().describe('Whether it is about a simulated debt or campaign'),
  sequence: z.int().describe('Orders the events of one debt: deliveries may overtake each other'),
};
const ofDebt = {
  debtId: z.uuid(),
  invoiceId: z.string().nullable().describe('Your own number of the bill'),
  campaignId: z.uuid(),
  ...common,
};
export const debtStatus = z.enum(DEBT_STATUSES).meta({ id: 'DebtStatus' });
export const campaignStatus = z.enum(CAMPAIGN_STATUSES).meta({ id: 'CampaignStatus' });
const paymentId = z.uuid();
const protocol = z.string().describe('The number of the receipt');
const amount = reais.describe('In reais');
const ofAgreement = {
  agreementId: z.uuid(),
  protocol: z.string().describe('The number of the Termo de Acordo'),
  debtIds: z.array(z.uuid()).describe('All of its debts; `debtId` is the first of them'),
};
const paid = amount.describe('What was paid by the agreement until then, in reais');
const message = { messageId: z.uuid(), channel: z.string() };

/** What `data` of each type contains: ids, states and plain numbers, never anything of a person. */
const DATA = {
  'debt.imported': z.object({ ...ofDebt, status: debtStatus }),
  'debt.status_changed': z.object({ ...ofDebt, status: debtStatus, previousStatus: debtStatus }),
  'debt.contacted': z.object({ ...ofDebt, ...message }),
  'debt.message_received': z.object({ ...ofDebt, ...message }),
  'payment.approved': z.object({ ...ofDebt, paymentId, amount }),
  'payment.duplicate': z.object({
    ...ofDebt,
    paymentId,
    amount,
    covers: z
      .literal(true)
      .optional()
      .describe('The payments before it went back, so that this one pays the debt: do not refund it'),
  }),
  'payment.refunded': z.object({
    ...ofDebt,
    paymentId,
    reason: z.enum(REVOKED_REASONS).describe('`undone`: you had recorded the payment by mistake, and took it back'),
    refundedAmount: amount.nullable().describe('All that was refunded of the payment; null for another reason'),
  }),
  'receipt.issued': z.object({ ...ofDebt, paymentId, protocol }),
  'receipt.revoked': z.object({ ...ofDebt, paymentId, protocol, reason: z.enum(REVOKED_REASONS) }),
  'agreement.accepted': z.object({
    ...ofDebt,
    ...ofAgreement,
    total: amount,
    discount: amount,
    instalments: z.int().describe('How many, the entry included'),
  }),
  'agreement.instalment_paid': z.object({
    ...ofDebt,
    ...ofAgreement,
    instalment: z.int().nullable().describe('Null for money that came by another code'),
    amount,
    paymentId,
  }),
  'agreement.broken': z.object({
    ...ofDebt,
    ...ofAgreement,
    paid,
    // biome-ignore lint/suspicious/noThenProperty: the contract names it so, and nobody awaits an event.
    then: z
      .enum(['restore', 'keep'])
      .describe('`restore`: the debts are owed as before, less what was paid; `keep`: the agreed rest stays owed'),
  }),
  'agreement.completed': z.object({ ...ofDebt, ...ofAgreement, paid }),
  'campaign.status_changed': z.object({
    campaignId: z.uuid(),
    ...common,
    status: campaignStatus,
    previousStatus: campaignStatus,
  }),
} as const satisfies Record<EventType, z.ZodType>;

const SUMMARIES: Readonly<Record<EventType | typeof TEST_EVENT, string>> = {
  'debt.imported': 'A debt was imported',
  'debt.status_changed': 'A debt has another status',
  'debt.contacted': 'A collection message about a debt was sent',
  'debt.message_received': 'A debtor has written',
  'payment.approved': 'A payment settled a debt',
  'payment.duplicate':
    'A debt that was settled already was paid once more: the client refunds it, unless it `covers` the debt',
  'payment.refunded': 'A payment went back, in whole or in part',
  'receipt.issued': 'The receipt of a payment was issued',
  'receipt.revoked': 'A receipt is not valid any more, because its payment went back',
  'agreement.accepted': 'A debtor has accepted an offer; told once, however many debts it is about',
  'agreement.instalment_paid': 'Money came by an agreement',
  'agreement.broken': 'An agreement was not kept',
  'agreement.completed': 'All of what was agreed was paid',
  'campaign.status_changed': 'A campaign has another status',
  [TEST_EVENT]: 'What `POST /api/webhooks/{id}/test` posts; it is about no change',
};

/** `debt.status_changed` is the component `DebtStatusChangedEvent`: generators lose variants without a name. */
const nameOf = (type: string): string => {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
};

const item = <Type extends EventType>(type: Type, data: z.ZodType) =>
  z
    .object({
      id: z.uuid().describe('The same as `webhook-id`'),
      type: z.literal(type),
      at: z.iso
        .datetime()
        .describe('The moment on the timeline, by the debt’s own clock: a sandbox clock runs ahead of real time'),
      debtId: z.uuid().nullable(),
      campaignId: z.uuid().nullable(),
      data,
    })
    .meta({ id: nameOf(type) });

const [firstType, ...otherTypes] = EVENT_TYPES;
export const eventSchema = z
  .discriminatedUnion('type', [item(firstType, DATA[firstType]), ...otherTypes.map((type) => item(type, DATA[type]))])
  .meta({ id: 'Event' });

const posted = (type: string, data: z.ZodType) =>
  z.object({ type: z.literal(type), timestamp: z.iso.datetime().describe('The moment of the event'), data });

/** What is posted to webhooks, by type. */
export const WEBHOOK_BODIES: readonly {
  readonly type: string;
  readonly summary: string;
  readonly body: z.ZodType;
}[] = [
  ...EVENT_TYPES.map((type) => ({ type, summary: SUMMARIES[type], body: posted(type, DATA[type]) })),
  {
    type: TEST_EVENT,
    summary: SUMMARIES[TEST_EVENT],
    body: posted(TEST_EVENT, z.object({ webhookId: z.uuid(), ...common })),
  },
];

const eventType = z.enum(EVENT_TYPES).meta({ id: 'EventType' });

export const typesBody = z
  .array(eventType)
  .max(EVENT_TYPES.length * 2)
  .describe('The types that it gets; empty for all, those of later versions too');

export const urlBody = z
  .string()
  .min(1)
  .max(2_048)
  .describe('An `https` address of the internet, without credentials in it');

export const webhookSchema = z
  .object({
    id: z.uuid(),
    url: z.string(),
    types: z.array(eventType),
    state: z.enum(WEBHOOK_STATES),
    disabledReason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .describe('`client`: by you; `gone`: the receiver answered 410; `failing`: it took nothing for five days'),
    disabledAt: z.iso.datetime().nullable(),
    failingSince: z.iso.datetime().nullable().describe('The first failure since the receiver last took an event'),
    previousSecretUntil: z.iso
      .datetime()
      .nullable()
      .describe('Until when the secret before the last rotation signs too'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' });

export const secret = z.string().describe('Signs what is posted: `whsec_` and 32 bytes in base64. Shown this once');

export const deliverySchema = z
  .object({
    id: z.uuid(),
    eventId: z.uuid().describe('The `webhook-id` of every attempt'),
    type: z.string(),
    state: z.enum(DELIVERY_STATES),
    attempts: z.int().describe('Since it was last asked for'),
    nextAttemptAt: z.iso.datetime().nullable(),
    lastAttemptAt: z.iso.datetime().nullable(),
    lastStatus: z.int().nullable().describe('The HTTP status of the last answer'),
    lastError: z
      .string()
      .nullable()
      .describe(
        '`url_invalid`, `address_refused`, `name_not_resolved`, `connection_failed`, `tls_failed`, `timeout`, `redirected`, `status`, or `webhook_disabled` for what waited when the webhook was disabled',
      ),
    lastResponse: z.string().nullable().describe('The beginning of the last answer’s body'),
    deliveredAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'WebhookDelivery' });
