import type { ShownDocument } from '../../../kernel/ports/outgoing.ts';
import { addCounts } from '../../../platform/database/add-count.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { closeUndelivered } from '../../debts/queries/inbox-items.ts';
import { slotOf } from '../../debts/use-cases/campaign-day.ts';
import { type DebtContext, lockDebts } from '../../debts/use-cases/debt-context.ts';
import { type ContactPurpose, isContactPurpose } from '../../policy/rules/contact-policy.ts';
import type { SentMessage } from '../ports/messaging-channel.ts';
import { storeOutcome } from '../queries/message-outcomes.ts';
import { insertBookedMessage, messageOfAttempt, setFormOfMessage, setSenderOfMessage } from '../queries/messages.ts';
import { learnRecipient } from '../queries/recipients.ts';
import type { MessageDelivery } from '../rules/delivery-states.ts';
import { type Attempt, attemptToSend, type Failed, type FailureCause, type MessageForm } from './attempt-to-send.ts';
import { type BookedMessage, textFor, textVersionFor } from './booked-message.ts';
import { type Candidate, realNameOf } from './candidates.ts';
import { recipientOf } from './contact-ledger.ts';
import { countSent } from './count-message.ts';
import type { MessagingDeps } from './deps.ts';
import { keepSentText } from './keep-sent-text.ts';
import { storeOptOut } from './receive-message.ts';
import { refusePixCodes, startSender, stopRefused } from './sender-state.ts';
import { waitForSenderSlot } from './wait-for-sender-slot.ts';

/**
 * Stores what an attempt has told of the sender and of the person: whom the channel does not reach, who asked it for
 * silence, and whether the sender works.
 */
async function learnFromAttempt(
  tx: Tx,
  deps: Pick<MessagingDeps, 'now' | 'note' | 'personKeys' | 'workflows'>,
  debt: DebtContext,
  { sender, known }: Candidate,
  message: BookedMessage,
  attempt: Attempt,
): Promise<void> {
  const channel = realNameOf(sender);
  const { clientId, id: debtId } = debt;
  if (attempt.refusedPix !== undefined && known !== null && channel !== null) {
    await refusePixCodes(tx, deps, { clientId, channel, senderId: known.senderId }, attempt.refusedPix);
  }
  if (attempt.outcome === 'failed' && attempt.cause === 'silence' && message.purpose !== 'opt_out_confirmation') {
    const { phone } = message;
    const channelMessageId = `silence:${message.id}`;
    await storeOptOut(tx, deps, { clientId, debtId, channel: sender.channel.name, phone, channelMessageId });
  }
  if (channel === null || known === null) return;
  const key = { clientId, channel, senderId: known.senderId };
  const recipient = recipientOf(deps.personKeys, debt, { channel, phone: message.phone });
  if (attempt.outcome === 'sent') {
    if (known.state !== 'ready') await startSender(tx, deps, key);
    const { byTemplate } = attempt;
    const text = textFor({ sender }, message);
    await countSent(tx, deps, { ...key, messageId: message.id, campaignId: debt.campaignId, byTemplate, text });
    const { channelUserId } = attempt.sent;
    if (channelUserId !== null && channelUserId !== known.channelUserId) {
      await learnRecipient(tx, recipient, { channelUserId });
    }
    return;
  }
  if (attempt.outcome !== 'failed') return;
  if (attempt.cause === 'recipient') await learnRecipient(tx, recipient, { unreachableAt: deps.now() });
  const { kind, failure } = attempt;
  if (kind !== 'template_marketing') await stopRefused(tx, deps, key, { kind, failure });
}

export type Sending = { readonly outcome: 'sent' } | { readonly outcome: 'unknown' } | Failed;

export type SendingDeps = Pick<
  MessagingDeps,
  'db' | 'now' | 'policy' | 'personKeys' | 'publicUrl' | 'textHashes' | 'workflows' | 'note'
>;

/** After these failures the next channel may carry the message. After any other, the same channel may do so later. */
const HANDED_OVER: readonly FailureCause[] = ['recipient', 'message', 'sender'];

/** What the caller does in the transaction that records the outcome of a message. Its debts are locked. */
type Follow<Result> = (tx: Tx, sending: Sending) => Promise<Result>;

/**
 * Sends a booked message by the first candidate that can carry it, and records the outcome. The booking stays the same
 * from channel to channel, so it is one contact for every cap. An uncertain outcome counts as sent.
 */
export async function sendBooked<Result>(
  deps: SendingDeps,
  debt: DebtContext,
  candidates: readonly Candidate[],
  message: BookedMessage,
  follow: Follow<Result>,
): Promise<Result> {
  const db = deps.db.tenant(debt.clientId);
  let last: Attempt | null = null;
  let failed: Failed = NO_SENDER;
  let stored = {
    text: candidates[0] === undefined ? '' : textFor(candidates[0], message),
    chargeId: null as string | null,
  };
  for (const [index, candidate] of candidates.entries()) {
    // The booking has stored the plain text; what is sent in another form is stored before it leaves.
    const announce = async ({ text, pix }: MessageForm): Promise<void> => {
      const form = { text, chargeId: pix?.chargeId ?? null };
      if (form.text === stored.text && form.chargeId === stored.chargeId) return;
      stored = form;
      await db.transactional(async (tx) => {
        await setFormOfMessage(tx, message.id, form);
        await keepSentText(tx, deps, debt, candidate, { ...message, text });
      });
    };
    const before = candidates[index - 1];
    if (before !== undefined && last !== null) {
      const waitMs = await waitForSenderSlot(deps, debt, candidate, message.phone);
      if (waitMs > 0) {
        failed = { outcome: 'failed', cause: 'throttled', retryAfterMs: waitMs, failure: 'pace' };
        break;
      }
      const attempt = last;
      await db.transactional(async (tx) => {
        await learnFromAttempt(tx, deps, debt, before, message, attempt);
        await handOver(tx, deps, debt, before, candidate, message);
        stored = { text: textFor(candidate, message), chargeId: null };
      });
    }
    if (deps.now().getTime() > (message.notAfter ?? Number.POSITIVE_INFINITY)) {
      failed = LATE;
      break;
    }
    last = await attemptToSend(deps, debt, candidate, message, announce);
    if (last.outcome !== 'failed') break;
    // A stopped sender counts more than a person whom another channel does not reach: it may send again soon.
    failed = failed.cause === 'sender' && failed !== NO_SENDER && last.cause === 'recipient' ? failed : last;
    if (!HANDED_OVER.includes(last.cause)) break;
  }
  const sending: Sending = last === null || last.outcome === 'failed' ? failed : last;
  const used = candidates.find(({ sender }) => sender === last?.sender);
  return db.transactional(async (tx) => {
    const isRecorded = await recordOutcome(tx, debt, message, sending, last?.outcome === 'sent' ? last.sent : null);
    if (used !== undefined && last !== null) await learnFromAttempt(tx, deps, debt, used, message, last);
    return follow(tx, isRecorded || sending.outcome !== 'failed' ? sending : OVERTAKEN);
  });
}

/**
 * Temporal has given an attempt up, and the next one has recorded that its outcome is not known. The workflow has gone on,
 * so that nothing would follow from a failure that is learned now.
 */
const OVERTAKEN: Sending = { outcome: 'unknown' };
const LATE: Failed = { outcome: 'failed', cause: 'late', retryAfterMs: null, failure: 'late' };
const NO_SENDER: Failed = { outcome: 'failed', cause: 'sender', retryAfterMs: null, failure: 'no_sender' };

async function handOver(
  tx: Tx,
  deps: Pick<SendingDeps, 'publicUrl' | 'textHashes'>,
  debt: DebtContext,
  before: Candidate,
  next: Candidate,
  message: BookedMessage,
): Promise<void> {
  const text = textFor(next, message);
  await setSenderOfMessage(tx, message.id, {
    channel: next.sender.channel.name,
    senderId: next.sender.id,
    text,
    textVersion: textVersionFor(next, message),
    tried: before.sender.channel.name,
  });
  await keepSentText(tx, deps, debt, next, { ...message, text });
}

/**
 * Records the outcome of a booked message on the message and on the timeline. Returns false when an outcome is recorded
 * already.
 */
export async function recordOutcome(
  tx: Tx,
  debt: DebtContext,
  message: Pick<BookedMessage, 'id' | 'purpose' | 'at' | 'alsoAbout'>,
  outcome: Sending,
  sent: SentMessage | null,
): Promise<boolean> {
  const debtIds = [debt.id, ...(message.alsoAbout ?? [])];
  await lockDebts(tx, debtIds);
  const { id: messageId, purpose } = message;
  const delivery: MessageDelivery = outcome.outcome;
  // A notice of an agreement is a contact of the person, and no message that collects.
  const counts = (counted: ContactPurpose): number => Number(purpose === counted && delivery !== 'failed');
  const recorded = await storeOutcome(tx, {
    messageId,
    delivery,
    channelMessageId: sent?.channelMessageId ?? null,
    failure: outcome.outcome === 'failed' ? outcome.failure : null,
    // The debtor may answer before the channel has confirmed the contact. The contact keeps the moment that was booked.
    asBooked: isContactPurpose(purpose) || purpose === 'agreement',
    slot: slotOf(debt.id),
    contactsSent: counts('collection'),
    remindersSent: counts('reminder'),
  });
  if (recorded === undefined) return false;
  if (recorded.wasUndelivered && delivery !== 'failed') await closeUndelivered(tx, debtIds);
  addCounts(tx, [{ name: 'messages_sent', labels: { channel: recorded.channel, purpose, outcome: delivery } }]);
  return true;
}

export interface NewMessage extends BookedMessage {
  readonly attemptKey: string;
  readonly shownDocument?: ShownDocument;
}

/** Stores a message before it is sent by its first candidate. Returns false when this attempt was booked before. */
export async function bookMessage(
  tx: Tx,
  deps: Pick<SendingDeps, 'publicUrl' | 'textHashes'>,
  debt: DebtContext,
  candidate: Candidate,
  message: NewMessage,
): Promise<boolean> {
  const text = textFor(candidate, message);
  const booked = await insertBookedMessage(tx, {
    id: message.id,
    clientId: debt.clientId,
    debtId: debt.id,
    channel: candidate.sender.channel.name,
    senderId: candidate.sender.id,
    purpose: message.purpose,
    phone: message.phone,
    text,
    document: message.shownDocument ?? null,
    attemptKey: message.attemptKey,
    at: new Date(message.at),
  });
  if (booked === undefined) return false;
  await keepSentText(tx, deps, debt, candidate, { ...message, text });
  return true;
}

/**
 * Looks for a message that an earlier run of the same attempt booked, and returns whether there is one. A message whose
 * outcome is not recorded becomes `unknown`.
 */
export async function settleEarlierTry(tx: Tx, debt: DebtContext, attemptKey: string): Promise<boolean> {
  const earlier = await messageOfAttempt(tx, debt.clientId, attemptKey);
  if (earlier === undefined) return false;
  await recordOutcome(tx, debt, { ...earlier, at: earlier.at.getTime() }, { outcome: 'unknown' }, null);
  return true;
}
