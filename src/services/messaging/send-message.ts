import type { EntityManager } from '@mikro-orm/postgresql';
import type { MessageDelivery } from '../../db/entities/message.ts';
import { closeUndelivered } from '../../db/queries/inbox-items.ts';
import { insertBookedMessage, messageOfAttempt, setDelivery } from '../../db/queries/messages.ts';
import type { MessagePurpose } from '../../domain/message-purposes.ts';
import type { MessageTemplate } from '../../ports/collection-agent.ts';
import { MessagingError, type OutgoingMessage, type SentMessage } from '../../ports/messaging-channel.ts';
import type { ShownDocument } from '../../ports/outgoing.ts';
import { countInCampaign } from '../debts/campaign-day.ts';
import { type DebtContext, lockDebts } from '../debts/debt-context.ts';
import { recordEvents } from '../debts/record-events.ts';
import type { SharedDeps } from '../shared/deps.ts';
import type { Sender } from './deps.ts';

export interface BookedMessage {
  readonly id: string;
  readonly purpose: MessagePurpose;
  /** The debtor's phone that the message goes to. */
  readonly phone: string;
  readonly text: string;
  readonly template: MessageTemplate | null;
  /** The other debts that a contact speaks of. */
  readonly alsoAbout?: readonly string[];
  readonly document?: OutgoingMessage['document'];
  /** The moment by the debt's own clock. */
  readonly at: number;
}

export type Sending =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'unknown' }
  /** The message was certainly not sent. */
  | { readonly outcome: 'failed'; readonly cause: FailureCause; readonly retryAfterMs: number | null };

/**
 * - `passing`: a later attempt may succeed.
 * - `throttled`: the sender has to send more slowly, whoever the recipient is.
 * - `recipient`: the channel cannot reach this person.
 * - `message`: the channel does not accept this message.
 * - `sender`: the channel accepts no message of this client until the cause is corrected.
 */
export type FailureCause = 'passing' | 'throttled' | 'recipient' | 'message' | 'sender';

const causeOf = ({ kind, scope }: MessagingError): FailureCause => {
  if (kind === 'retryable') return scope === 'sender' ? 'throttled' : 'passing';
  if (kind === 'undeliverable') return 'recipient';
  return kind === 'suspended' || kind === 'unauthorized' ? 'sender' : 'message';
};

/** Sends a booked message once and records the outcome. An uncertain outcome counts as sent. */
export async function sendBooked(
  deps: Pick<SharedDeps, 'db' | 'now'>,
  debt: DebtContext,
  sender: Sender,
  message: BookedMessage,
): Promise<Sending> {
  const sending = await attempt(debt, sender, message);
  await deps.db
    .tenant(debt.clientId)
    .transactional((em) =>
      recordOutcome(em, debt, message, sending.outcome, sending.sent ?? null, sender.channel.name),
    );
  return sending;
}

/**
 * Records the outcome of a booked message on the message and on the timeline, unless an outcome is recorded already.
 */
async function recordOutcome(
  em: EntityManager,
  debt: DebtContext,
  message: Pick<BookedMessage, 'id' | 'purpose' | 'at' | 'alsoAbout'>,
  delivery: Extract<MessageDelivery, 'sent' | 'unknown' | 'failed'>,
  sent: SentMessage | null,
  channel: string,
): Promise<void> {
  const debtIds = [debt.id, ...(message.alsoAbout ?? [])];
  await lockDebts(em, debtIds);
  const channelMessageId = sent?.channelMessageId ?? null;
  const recorded = await setDelivery(em, message.id, { delivery, channelMessageId });
  if (recorded === undefined) return;
  if (recorded.wasUndelivered && delivery !== 'failed') await closeUndelivered(em, debtIds);
  const entry = { kind: 'message_sent', data: { messageId: message.id, channel, purpose: message.purpose } } as const;
  // The debtor may answer before the channel has confirmed the contact. The contact keeps the moment that was booked.
  const isContact = message.purpose === 'collection';
  for (const id of debtIds) await recordEvents(em, id, message.at, [entry], { asBooked: isContact });
  if (isContact && delivery !== 'failed') await countInCampaign(em, debt, { contactsSent: 1 });
}

type Attempt = Sending & { readonly sent?: SentMessage };

async function attempt(debt: DebtContext, { channel, credentials }: Sender, message: BookedMessage): Promise<Attempt> {
  try {
    const sent = await channel.send({
      id: message.id,
      to: { phone: message.phone },
      text: message.text,
      ...(message.template === null
        ? {}
        : { template: { name: message.template.name, language: 'pt_BR', parameters: message.template.parameters } }),
      ...(message.document === undefined ? {} : { document: message.document }),
      context: { clientId: debt.clientId, debtId: debt.id, purpose: message.purpose, at: new Date(message.at) },
      credentials,
    });
    return { outcome: 'sent', sent };
  } catch (error) {
    if (!(error instanceof MessagingError) || !error.surelyNotSent) return { outcome: 'unknown' };
    const retryAfterMs = error.retryAfterSeconds === undefined ? null : error.retryAfterSeconds * 1000;
    return { outcome: 'failed', cause: causeOf(error), retryAfterMs };
  }
}

export interface NewMessage extends BookedMessage {
  readonly attemptKey: string;
  readonly shownDocument?: ShownDocument;
}

/** Stores a message before it is sent. Returns false when this attempt was booked before. */
export async function bookMessage(
  em: EntityManager,
  debt: DebtContext,
  channel: string,
  message: NewMessage,
): Promise<boolean> {
  const booked = await insertBookedMessage(em, {
    id: message.id,
    clientId: debt.clientId,
    debtId: debt.id,
    channel,
    purpose: message.purpose,
    phone: message.phone,
    text: message.text,
    document: message.shownDocument ?? null,
    attemptKey: message.attemptKey,
    at: new Date(message.at),
  });
  return booked !== undefined;
}

/**
 * Looks for a message that an earlier run of the same attempt booked, and returns whether there is one. A message whose
 * outcome is not recorded becomes `unknown`.
 */
export async function settleEarlierTry(
  em: EntityManager,
  debt: DebtContext,
  channel: string,
  attemptKey: string,
): Promise<boolean> {
  const earlier = await messageOfAttempt(em, debt.clientId, attemptKey);
  if (earlier === undefined) return false;
  await recordOutcome(em, debt, { ...earlier, at: earlier.at.getTime() }, 'unknown', null, channel);
  return true;
}
