import type { EntityManager } from '@mikro-orm/postgresql';
import { receivedText } from '../../../kernel/received-text.ts';
import { learnRecipient } from '../queries/recipients.ts';
import { insertUnmatched } from '../queries/unmatched-messages.ts';
import { CHANNEL_OPT_OUT_TEXT } from '../texts/channel-opt-out.ts';
import type { Written } from './assign-events.ts';
import type { ChannelEventDeps, ReceivedBy } from './channel-event-deps.ts';
import type { DebtOfWriter } from './find-debt-of-writer.ts';
import { storeReceived } from './receive-message.ts';
import { storeOptOut } from './receive-opt-out.ts';
import { recipientOf } from './recipient-of.ts';

/** What somebody wrote, with the debt that it is about; null when the person has none with the client. */
export interface Found {
  readonly event: Written;
  readonly debt: DebtOfWriter | null;
}

/** Stores a message or a request for silence with its debt, and what it tells of the person's address. */
export async function storeWritten(
  em: EntityManager,
  deps: ChannelEventDeps,
  by: ReceivedBy,
  { event, debt }: Found,
): Promise<void> {
  const outcome = debt === null ? 'unknown_debt' : await store(em, deps, by, event, debt);
  if (outcome === 'unknown_debt' || debt === null) return keepUnmatched(em, deps, by, event);
  if (outcome === 'repeated') return;
  const now = deps.now();
  const { channel, clientId } = by;
  const recipient = recipientOf(deps.personKeys, { ...debt, clientId }, { channel, phone: debt.phone });
  const channelUserId = event.channelUserId ?? null;
  await learnRecipient(em, recipient, {
    // A request for silence may come from the channel itself, and opens no window for free text.
    ...(event.kind === 'message' ? { wroteAt: now, reachedAt: now } : {}),
    ...(channelUserId === null ? {} : { channelUserId }),
  });
}

function store(
  em: EntityManager,
  deps: ChannelEventDeps,
  { clientId, channel }: ReceivedBy,
  event: Written,
  { id: debtId, phone }: DebtOfWriter,
): ReturnType<typeof storeReceived> {
  const { channelMessageId, senderId } = event;
  if (event.kind === 'opt_out') {
    // A channel may report the wish with the id of the message that it refused, which is a message of ours.
    return storeOptOut(em, deps, { clientId, debtId, channel, phone, channelMessageId: `stop:${channelMessageId}` });
  }
  const { button, attachment } = event;
  const message = { clientId, debtId, channel, senderId, phone, channelMessageId, button };
  return storeReceived(em, deps, { ...message, ...receivedText(event.text), attachment });
}

/** Nobody answers a person without a debt. What was written is kept for a time, sealed, in case the client has to know. */
async function keepUnmatched(
  em: EntityManager,
  deps: ChannelEventDeps,
  { clientId, channel }: ReceivedBy,
  event: Written,
): Promise<void> {
  const { channelMessageId, senderId, fromPhone, fromEmail } = event;
  const text = event.kind === 'opt_out' ? CHANNEL_OPT_OUT_TEXT : event.text;
  const attachment = event.kind === 'opt_out' ? null : (event.attachment?.kind ?? null);
  const from = { phone: fromPhone, email: fromEmail, channelUserId: event.channelUserId ?? null };
  const sealed = deps.cipher.seal(
    JSON.stringify({ from, ...receivedText(text), attachment }),
    `${clientId}:unmatched:${channelMessageId}`,
  );
  const kept = await insertUnmatched(em, { clientId, channel, senderId, channelMessageId, sealed });
  if (kept !== undefined) deps.note('A message came from somebody who has no debt.', { clientId, channel });
}
