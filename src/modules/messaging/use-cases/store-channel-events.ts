import { inboundPhones } from '../../../kernel/phone.ts';
import { receivedText } from '../../../kernel/received-text.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { lockDebts } from '../../debts/use-cases/debt-context.ts';
import type { ChannelEvent } from '../ports/channel-webhook.ts';
import { reportedPhoneRequests, setPhoneRequest, takeCard } from '../queries/phone-requests.ts';
import { learnRecipient, moveRecipients } from '../queries/recipients.ts';
import { type SenderOnChannel, sendersOnChannel, setSenderNews, setTemplateState } from '../queries/sender-news.ts';
import { insertUnmatched } from '../queries/unmatched-messages.ts';
import { CARD_TEXT, CHANNEL_OPT_OUT_TEXT } from '../texts/timeline-texts.ts';
import { applyReports, messagesReported, newsOf, type Report, stopWithoutPayment } from './apply-reports.ts';
import { bookPhoneRequests } from './book-phone-requests.ts';
import type { ChannelEventDeps, ReceivedBy } from './channel-event-deps.ts';
import { recipientOf } from './contact-ledger.ts';
import { countReports } from './count-message.ts';
import type { DebtOfWriter } from './find-debt-of-writer.ts';
import { type Found, findDebtOfWritten, isWritten, type Written, writtenAt } from './find-debt-of-written.ts';
import { followCategories, tellOfMarketing } from './follow-category.ts';
import { storeOptOut, storeReceived } from './receive-message.ts';
import { QUALITY_BLOCKED, startSender, stopSender } from './sender-state.ts';
import { keptContext, storeKept } from './store-kept.ts';

/** Applies reports to requests for a phone, which are about no debt. They cost as messages do. */
async function applyPhoneRequestReports(
  tx: Tx,
  deps: ChannelEventDeps,
  by: ReceivedBy,
  reports: readonly Report[],
): Promise<void> {
  const ids = reports.flatMap(({ messageId }) => (isUuid(messageId) ? [messageId.toLowerCase()] : []));
  for (const request of await reportedPhoneRequests(tx, by.channel, ids)) {
    const own = reports.filter(({ messageId }) => messageId?.toLowerCase() === request.id);
    await countReports(tx, deps, by, { ...request, campaignId: null }, own);
    const news = newsOf(request.delivery, own);
    const { delivery, reason } = news;
    if (delivery === request.delivery) continue;
    await setPhoneRequest(tx, request.id, {
      delivery,
      channelMessageId: request.channelMessageId ?? own[0]!.channelMessageId,
      ...(delivery === 'failed' ? { failure: reason } : {}),
    });
    await stopWithoutPayment(tx, deps, by, request.senderId, news);
  }
}

/**
 * Stores a message or a request for silence with its debt, and what it tells of the person's address. Returns whether it
 * is new and of somebody without a debt.
 */
async function storeWritten(tx: Tx, deps: ChannelEventDeps, by: ReceivedBy, found: Found): Promise<boolean> {
  const { event, debt, requestId } = found;
  if (debt !== null && requestId !== null) return storeCard(tx, deps, by, { event, debt, requestId });
  const outcome = debt === null ? 'unknown_debt' : await store(tx, deps, by, event, debt);
  if (outcome === 'unknown_debt' || debt === null) return keepUnmatched(tx, deps, by, event);
  if (outcome === 'repeated') return false;
  const now = deps.now();
  const { channel, clientId } = by;
  const recipient = recipientOf(deps.personKeys, { ...debt, clientId }, { channel, phone: debt.phone });
  const channelUserId = event.channelUserId ?? null;
  await learnRecipient(tx, recipient, {
    // A request for silence may come from the channel itself, and opens no window for free text.
    ...(event.kind === 'message' ? { wroteAt: writtenAt(event, now), reachedAt: now } : {}),
    ...(channelUserId === null ? {} : { channelUserId }),
    // Who writes by the phone of the debt is reached by it.
    ...(event.fromPhone !== null && inboundPhones(event.fromPhone).includes(debt.phone) ? { movedAt: null } : {}),
  });
  return false;
}

function store(
  tx: Tx,
  deps: ChannelEventDeps,
  { clientId, channel }: ReceivedBy,
  event: Written,
  { id: debtId, phone }: DebtOfWriter,
): ReturnType<typeof storeReceived> {
  const { channelMessageId, senderId } = event;
  if (event.kind === 'opt_out') {
    // A channel may report the wish with the id of the message that it refused, which is a message of ours.
    return storeOptOut(tx, deps, { clientId, debtId, channel, phone, channelMessageId: `stop:${channelMessageId}` });
  }
  const { button, attachment } = event;
  const message = { clientId, debtId, channel, senderId, phone, channelMessageId, button };
  return storeReceived(tx, deps, { ...message, ...receivedText(event.text), attachment });
}

/**
 * Stores a card as a greeting from the phone that stands in it, so that only the holder of that phone reads the answer.
 * Nothing is learned of who has sent it, and it gets no read mark, by which that person would learn that the phone is
 * known. The holder's own id comes with the delivery of the answer.
 */
async function storeCard(
  tx: Tx,
  deps: ChannelEventDeps,
  by: ReceivedBy,
  { event, debt, requestId }: { readonly [Key in keyof Found]: NonNullable<Found[Key]> },
): Promise<boolean> {
  const { clientId, channel } = by;
  const { channelMessageId } = event;
  const isFirst = (await takeCard(tx, requestId, channelMessageId)) !== undefined;
  const message = { clientId, debtId: debt.id, channel, phone: debt.phone, channelMessageId };
  const stored = isFirst && (await storeReceived(tx, deps, { ...message, text: CARD_TEXT, button: 'other' }));
  return (stored === false || stored === 'unknown_debt') && keepUnmatched(tx, deps, by, event);
}

/** Nobody answers a person without a debt. What was written is kept for a time, sealed, in case the client has to know. */
async function keepUnmatched(
  tx: Tx,
  deps: ChannelEventDeps,
  { clientId, channel }: ReceivedBy,
  event: Written,
): Promise<boolean> {
  const { channelMessageId, senderId, fromPhone, fromEmail } = event;
  const text = event.kind === 'opt_out' ? CHANNEL_OPT_OUT_TEXT : event.text;
  const attachment = event.kind === 'opt_out' ? null : (event.attachment?.kind ?? null);
  const { channelUserId = null } = event;
  const personKey = channelUserId === null ? null : deps.personKeys.channelUser(channel, channelUserId);
  const from = { phone: fromPhone, email: fromEmail, channelUserId };
  const sealed = deps.cipher.seal(
    JSON.stringify({ from, ...receivedText(text), attachment }),
    keptContext(clientId, channelMessageId),
  );
  const kept = await insertUnmatched(tx, { clientId, channel, senderId, channelMessageId, personKey, sealed });
  if (kept !== undefined) deps.note('A message came from somebody who has no debt.', { clientId, channel });
  return kept !== undefined;
}

/** News about a client's templates, senders or account. */
type SenderEvent = Extract<ChannelEvent, { kind: 'template' | 'template_category' | 'sender' }>;

const isAboutSender = (event: ChannelEvent): event is SenderEvent =>
  event.kind === 'template' || event.kind === 'template_category' || event.kind === 'sender';

/** Stores what a channel says of templates and senders: a low quality slows the sender down, a block pauses it. */
async function followSenderNews(
  tx: Tx,
  deps: ChannelEventDeps,
  by: ReceivedBy,
  senders: readonly SenderOnChannel[],
  events: readonly SenderEvent[],
): Promise<void> {
  for (const event of events) {
    if (event.kind === 'template') {
      const { accountId, name, state, reason } = event;
      await setTemplateState(tx, { channel: by.channel, accountId, name }, { state, reason });
      continue;
    }
    if (event.kind === 'template_category') {
      const { kind: _kind, accountId, ...news } = event;
      await followCategories(tx, deps, { channel: by.channel, accountId }, [news]);
      await tellOfMarketing(tx, deps, { clientId: by.clientId, channel: by.channel, accountId });
      continue;
    }
    for (const sender of senders.filter((each) => each.replacedAt === null && isMeant(each, event))) {
      await follow(tx, deps, by, sender, event);
    }
  }
}

/** News of an account concern all of its senders, unless they name one. */
const isMeant = (
  sender: SenderOnChannel,
  { senderId, accountId }: Extract<SenderEvent, { kind: 'sender' }>,
): boolean => (senderId === null ? accountId !== null && sender.accountId === accountId : sender.senderId === senderId);

async function follow(
  tx: Tx,
  deps: ChannelEventDeps,
  { clientId, channel }: ReceivedBy,
  { senderId, state, reason }: SenderOnChannel,
  { quality, peoplePerDay }: Extract<SenderEvent, { kind: 'sender' }>,
): Promise<void> {
  const key = { clientId, channel, senderId };
  const isUntold = quality === null && peoplePerDay === null;
  await setSenderNews(tx, key, {
    ...(quality === null ? {} : { quality }),
    ...(peoplePerDay === null ? {} : { peoplePerDay }),
    ...(isUntold ? { checkedAt: null } : {}),
  });
  if (quality === 'blocked') await stopSender(tx, deps, key, { state: 'paused', reason: QUALITY_BLOCKED });
  if (quality === 'good' && state === 'paused' && reason === QUALITY_BLOCKED) await startSender(tx, deps, key);
}

/** The new phone becomes no phone of the debt: nobody but the client says which phones are the debtor's. */
async function followPerson(
  tx: Tx,
  { personKeys, now }: Pick<ChannelEventDeps, 'personKeys' | 'now'>,
  { channel }: ReceivedBy,
  { fromUserId, toUserId, fromPhone, toPhone, at }: Extract<ChannelEvent, { kind: 'person_moved' }>,
): Promise<void> {
  const keysOf = (phone: string | null) => (phone === null ? [] : inboundPhones(phone)).map(personKeys.phone);
  await moveRecipients(tx, {
    channel,
    fromUserId,
    fromPhoneKeys: keysOf(fromPhone),
    toUserId,
    // The last spelling has the ninth digit, as debts have it.
    toPhoneKey: keysOf(toPhone).at(-1) ?? null,
    at: at ?? now(),
  });
}

/** Stores the events of one client. What names the sender of somebody else is left out. */
export async function storeChannelEvents(
  tx: Tx,
  deps: ChannelEventDeps,
  by: ReceivedBy,
  events: readonly ChannelEvent[],
): Promise<void> {
  const senders = await sendersOnChannel(tx, by.channel);
  const names = new Set(senders.flatMap(({ senderId, accountId }) => [senderId, accountId]));
  const own = events.filter((event) => isOwn(event, names));
  const reports = own.filter((event): event is Report => event.kind === 'delivery');
  // An answer in the same batch already comes from the new id.
  for (const event of own) if (event.kind === 'person_moved') await followPerson(tx, deps, by, event);
  const written: Found[] = [];
  for (const event of own.filter(isWritten)) {
    written.push(await findDebtOfWritten(tx, deps, by.channel, event));
  }
  // All debts are locked at once and in one order: two requests that name the same debts must not wait for each other.
  const reported = await messagesReported(tx, by.channel, reports);
  const debtIds = [
    ...reported.flatMap(({ debtId, alsoAbout }) => [debtId, ...alsoAbout]),
    ...written.flatMap(({ debt }) => (debt === null ? [] : [debt.id])),
  ];
  if (debtIds.length > 0) await lockDebts(tx, [...new Set(debtIds)]);
  const others = await applyReports(tx, deps, by, reports);
  await applyPhoneRequestReports(tx, deps, by, others);
  await storeKept(tx, deps, by, reports);
  const strangers: Written[] = [];
  for (const found of written) if (await storeWritten(tx, deps, by, found)) strangers.push(found.event);
  await bookPhoneRequests(tx, deps, by, strangers);
  await followSenderNews(tx, deps, by, senders, own.filter(isAboutSender));
}

/** A state may name no sender. It is found by the id of a message then, which row security limits to the client's own. */
function isOwn(event: ChannelEvent, names: ReadonlySet<string | null>): boolean {
  if (event.kind === 'template' || event.kind === 'template_category') return names.has(event.accountId);
  if (event.kind === 'delivery') return event.senderId === null || names.has(event.senderId);
  if (event.kind === 'sender')
    return [event.senderId, event.accountId].some((name) => name !== null && names.has(name));
  return names.has(event.senderId);
}
