import { z } from 'zod';
import { MESSAGE_PURPOSES } from '../../../kernel/message-purposes.ts';
import { PAYMENT_METHODS } from '../../../kernel/payment-methods.ts';
import { REVERSAL_KINDS } from '../../../kernel/reversal-kinds.ts';
import { by } from '../../accounts/routes/author.ts';
import { debtStatus } from '../../events/routes/schemas.ts';
import { ATTACHMENT_KINDS, ATTACHMENT_STATES } from '../rules/attachment-kinds.ts';
import type { ShownEntry } from '../rules/shown-entry.ts';
import { CHARGE_PROBLEMS } from '../rules/timeline-entry.ts';

type Kind = ShownEntry['kind'];
type KeysOf<Entry> = Entry extends unknown ? keyof Entry : never;
type Member<Of extends Kind> = Exclude<KeysOf<Extract<ShownEntry, { readonly kind: Of }>>, 'at' | 'kind'>;

/** `message_sent` is the component `TimelineEntryMessageSent`: generators lose variants without a name. */
const nameOf = (kind: Kind): string =>
  `TimelineEntry${kind.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;

/**
 * Declares exactly the members of an entry: one that is missing would be cut off the answers, and one that nobody writes
 * does not compile either. Whether their values fit is checked where a route answers with them.
 */
const entry = <Of extends Kind, Shape extends Record<Member<Of>, z.ZodType>>(
  kind: Of,
  shape: Shape & Record<Exclude<keyof Shape, Member<Of>>, never>,
) => z.object({ at, kind: z.literal(kind), ...(shape as Shape) }).meta({ id: nameOf(kind) });

const at = z.iso.datetime().describe('By the debt’s own clock');
const id = z.string();
const amount = z.number().describe('In reais');
const text = z.string().nullable();
const rules = z.array(z.string()).readonly();
const notBefore = z.iso.datetime().nullable();
const protocol = z.string().describe('The number of the receipt');
const paid = {
  paymentId: id,
  method: z.enum(PAYMENT_METHODS).optional().describe('How you received the money elsewhere'),
  paidAt: z.iso.datetime().optional(),
  note: z.string().optional().describe('What your staff wrote about money that you received elsewhere'),
};
const parts = {
  fine: amount.optional(),
  interest: amount.optional(),
  correction: amount.optional(),
  waived: amount.optional().describe('What you gave up with it, in reais'),
};
const ofAgreement = { agreementId: id, protocol: z.string().describe('The number of the Termo de Acordo') };
const value = z.union([z.string(), z.number()]).optional();

const attachment = z
  .object({
    id: z.uuid(),
    kind: z.enum(ATTACHMENT_KINDS),
    contentType: z.string().nullable(),
    filename: z.string().nullable(),
    bytes: z.int().nullable().describe('Null until the content is stored'),
    state: z.enum(ATTACHMENT_STATES),
  })
  .meta({ id: 'Attachment' });

export const timelineEntry = z
  .discriminatedUnion('kind', [
    entry('imported', { by }),
    entry('scored', { score: z.int().nullable() }),
    entry('needs_person', {
      reason: z.string().describe('`not_understood`, `end_forgotten` or `conversation_forgotten`'),
      endedAs: z.string().optional(),
      forgotten: z.int().optional(),
    }),
    entry('note', { by, noteId: id, text: z.string().describe('Empty when the debtor was erased') }),
    entry('verdict', {
      allowed: z.boolean(),
      rules,
      ruleIds: rules.optional().describe('The rules of the pack that allow or block the contact'),
      pack: z.object({ id: z.string(), version: z.string(), ownVersion: z.int().optional() }).optional(),
      notBefore,
      messageId: id.optional().describe('The message that was booked as a contact'),
    }),
    entry('charge_created', { paymentId: id }),
    entry('message_sent', {
      by,
      messageId: id,
      channel: z.string(),
      purpose: z.enum(MESSAGE_PURPOSES),
      text,
      author: z.literal('staff').optional(),
      delivery: z.enum(['waiting', 'sent', 'delivered', 'read', 'failed', 'unknown']).nullable(),
      textVersion: z.int().optional().describe('The version of your own wording'),
      pixCode: z.literal(true).optional().describe('A Pix code came with the message, to be copied there'),
      reason: z.literal('contact_blocked').optional().describe('The message was refused after it was taken'),
      rules: rules.optional(),
      notBefore: notBefore.optional(),
    }),
    entry('message_received', {
      channel: z.string(),
      text,
      intent: z.string().nullable().describe('Null until the message is understood'),
      cutFrom: z.int().optional().describe('How long the text was before it was cut'),
      attachments: z.array(attachment).readonly().optional(),
    }),
    entry('status_changed', {
      by,
      from: debtStatus,
      to: debtStatus,
      caller: z.enum(['session', 'api_key', 'identity_provider']).optional().describe('By whom you asked for it'),
      noteId: id.optional(),
      reason: z.string().optional().describe('In the words of your staff'),
    }),
    entry('debt_changed', {
      by,
      field: z.enum(['debtorPhone', 'debtorEmail', 'dueDate', 'originalAmount']),
      reason: z.enum(['corrected', 'wrong_person', 'unreachable', 'opt_out', 'undeliverable']),
      from: value.describe('A phone or an address is named by its place in its list'),
      to: value,
    }),
    entry('payment_approved', { by, ...paid, ...parts, amount, overpaidAmount: amount.optional() }),
    entry('payment_duplicate', {
      by,
      ...paid,
      ...parts,
      amount,
      covers: z.literal(true).optional().describe('The payments before it went back, so that this one pays the debt'),
    }),
    entry('payment_changed', {
      by,
      ...paid,
      ...parts,
      amount: amount.optional(),
      problem: z.enum(['underpaid', ...CHARGE_PROBLEMS]).optional(),
      expectedAmount: amount.optional(),
      change: z
        .enum(['refunded', 'charged_back', 'chargeback_reversed', 'refund_asked', 'refund_failed', 'undone'])
        .optional()
        .describe('`refund_asked`, `refund_failed`: `amount` is that of the refund `refundId`'),
      refundedAmount: amount.optional().describe('All that was refunded of the payment'),
      returnKind: z
        .enum(REVERSAL_KINDS)
        .optional()
        .describe(
          'Set when the money went back without your asking here: by the MED, a chargeback, or the provider’s panel',
        ),
      contestUntil: z.iso.datetime().optional().describe('Until when you may contest the return at your bank'),
      refundId: id.optional(),
      status: z.literal('REJECTED').optional(),
    }),
    entry('receipt_issued', {
      paymentId: id,
      protocol,
      receipt: z
        .enum(['part', 'instalment'])
        .optional()
        .describe('The receipt of a part or of an instalment, which is no quittance of the rest'),
    }),
    entry('offer_made', {
      by,
      offerId: id,
      number: z.int().describe('The number by which the debtor accepts it in words'),
      madeBy: z.enum(['policy', 'staff', 'proposal']).describe('`proposal`: the debtor has named an amount'),
      total: amount,
      discount: amount,
      instalments: z.int().describe('How many, the entry included'),
      validUntil: z.string().describe('The last day on which it can be accepted'),
    }),
    entry('agreement_accepted', {
      by,
      ...ofAgreement,
      acceptedBy: z.enum(['page', 'message', 'staff']),
      total: amount,
      discount: amount,
      instalments: z.int().describe('How many, the entry included'),
    }),
    entry('instalment_paid', {
      ...ofAgreement,
      paymentId: id,
      instalment: z.int().nullable().describe('Null for money that came by another code'),
      amount,
      method: paid.method,
    }),
    entry('agreement_changed', {
      by,
      ...ofAgreement,
      change: z.enum(['moved', 'stopped', 'resumed', 'cancelled', 'reopened']),
      instalment: z.int().optional(),
      from: z.string().optional(),
      to: z.string().optional(),
      because: z.string().optional(),
    }),
    entry('agreement_broken', { ...ofAgreement, paid: amount, afterBreach: z.enum(['restore', 'keep']) }),
    entry('agreement_completed', { ...ofAgreement, paid: amount }),
    entry('listed', { listingId: id, bureau: z.string(), listedOn: z.iso.date(), notifiedOn: z.iso.date(), by }),
    entry('listing_removed', { listingId: id, bureau: z.string(), removedOn: z.iso.date(), by }),
    entry('email_sent', {
      purpose: z.literal('receipt'),
      protocol,
      delivery: z.enum(['sent', 'unknown', 'failed']),
    }),
  ])
  .meta({ id: 'TimelineEntry' });
