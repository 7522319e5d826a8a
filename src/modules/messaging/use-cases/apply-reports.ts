import { DAY } from '../../../kernel/calendar.ts';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import type { ChannelEvent } from '../ports/channel-webhook.ts';
import type { MessagingErrorKind } from '../ports/messaging-channel.ts';
import { type ReportedMessage, reportedMessages, setReported } from '../queries/message-reports.ts';
import { learnRecipient, setSilentSince } from '../queries/recipients.ts';
import { deliveryAfter, type MessageDelivery, type ReportedDelivery } from '../rules/delivery-states.ts';
import { isPaymentMissing } from '../rules/watched-number.ts';
import { failureText } from './attempt-to-send.ts';
import { unreachableSince } from './candidates.ts';
import type { ChannelEventDeps, ReceivedBy } from './channel-event-deps.ts';
import { recipientOf } from './contact-ledger.ts';
import { countReports } from './count-message.ts';
import { recordOutcome } from './send-message.ts';
import { refusePixCodes, stopSender } from './sender-state.ts';

/** What a channel reports about the delivery of a message. */
export type Report = Extract<ChannelEvent, { kind: 'delivery' }>;

/** Failures after which another channel carries the message. */
const isUnreached = (kind: MessagingErrorKind | undefined): kind is 'undeliverable' | 'rejected' =>
  kind === 'undeliverable' || kind === 'rejected';

export async function messagesReported(
  tx: Tx,
  channel: RealChannel,
  reports: readonly Report[],
): Promise<ReportedMessage[]> {
  if (reports.length === 0) return [];
  return reportedMessages(tx, channel, {
    channelMessageIds: reports.map(({ channelMessageId }) => channelMessageId),
    messageIds: reports.map(({ messageId }) => messageId).filter(isUuid),
  });
}

/** Applies the reports to their messages, whose debts the caller has locked. Returns those that are about no message. */
export async function applyReports(
  tx: Tx,
  deps: ChannelEventDeps,
  by: ReceivedBy,
  reports: readonly Report[],
): Promise<readonly Report[]> {
  const others = new Set(reports);
  for (const message of await messagesReported(tx, by.channel, reports)) {
    const own = reports.filter(
      ({ channelMessageId, messageId }) =>
        channelMessageId === message.channelMessageId || messageId?.toLowerCase() === message.id,
    );
    await countReports(tx, deps, by, message, own);
    await applyTo(tx, deps, by, message, own);
    for (const report of own) others.delete(report);
  }
  return [...others];
}

/** What may have arrived has not failed: it counts as sent, and nothing is repeated. */
const deliveryIn = ({ delivery, failure }: Report): ReportedDelivery =>
  failure?.kind === 'unknown_outcome' ? 'unknown' : delivery;

/** What reports say together of something that was sent, and why it failed, if it did. */
export function newsOf(known: MessageDelivery, reports: readonly Report[]) {
  const { failure = null } = reports.find((report) => deliveryIn(report) === 'failed') ?? {};
  return {
    delivery: reports.reduce((state, report) => deliveryAfter(state, deliveryIn(report)), known),
    failureKind: failure?.kind,
    reason: failure === null ? null : failureText(failure),
  };
}

/** Other reasons that stop a sender come with news of its own; of a missing payment only what it sends tells. */
export async function stopWithoutPayment(
  tx: Tx,
  deps: ChannelEventDeps,
  { clientId, channel }: ReceivedBy,
  senderId: string | null,
  { delivery, reason }: Pick<ReturnType<typeof newsOf>, 'delivery' | 'reason'>,
): Promise<void> {
  if (senderId === null || delivery !== 'failed' || reason === null || !isPaymentMissing(reason)) return;
  await stopSender(tx, deps, { clientId, channel, senderId }, { state: 'paused', reason });
}

async function applyTo(
  tx: Tx,
  deps: ChannelEventDeps,
  by: ReceivedBy,
  message: ReportedMessage,
  reports: readonly Report[],
): Promise<void> {
  const known = message.delivery;
  const news = newsOf(known, reports);
  const { delivery, failureKind, reason } = news;
  if (delivery === known) return;
  const debt = known === 'booked' || delivery === 'failed' ? await loadDebt(tx, message.debtId) : null;
  // The report has come before the answer to the sending, which may be lost.
  if (known === 'booked' && debt !== null) {
    await recordOutcome(tx, debt, { ...message, at: message.at.getTime() }, { outcome: 'sent' }, null);
  }
  await setReported(tx, message.id, {
    delivery,
    channelMessageId: message.channelMessageId ?? reports[0]!.channelMessageId,
    failure: reason,
  });
  // The workflow undoes the contact, so that the next channel or phone carries it.
  if (delivery === 'failed' && debt !== null)
    await addOutbox(tx, deps.workflows.wakeDebt(debt, 'stateChanged', 'message not delivered'));
  const unreached = delivery === 'failed' && isUnreached(failureKind) ? failureKind : null;
  const { senderId, chargeId } = message;
  // What could not be delivered with a Pix code says nothing of the person: the next message goes without one.
  const refusedPix = unreached === 'rejected' && chargeId !== null && senderId !== null && reason !== null;
  const { clientId, channel } = by;
  if (refusedPix) await refusePixCodes(tx, deps, { clientId, channel, senderId }, reason);
  await stopWithoutPayment(tx, deps, by, senderId ?? reports[0]!.senderId, news);
  await learn(tx, deps, by, message, reports, {
    arrived: delivery === 'delivered' || delivery === 'read',
    unreached: refusedPix ? null : unreached,
    windowClosed: delivery === 'failed' && failureKind === 'window_closed',
  });
}

interface Lesson {
  readonly arrived: boolean;
  readonly unreached: 'undeliverable' | 'rejected' | null;
  readonly windowClosed: boolean;
}

async function learn(
  tx: Tx,
  deps: ChannelEventDeps,
  { clientId, channel }: ReceivedBy,
  message: ReportedMessage,
  reports: readonly Report[],
  { arrived, unreached, windowClosed }: Lesson,
): Promise<void> {
  if (message.erased || (!arrived && unreached === null && !windowClosed)) return;
  const now = deps.now();
  const phone = channel === 'email' ? message.debtorPhone : message.phone;
  const debt = { clientId, id: message.debtId, debtorTaxId: message.debtorTaxId };
  const recipient = recipientOf(deps.personKeys, debt, { channel, phone });
  // The channel knows better: the person may have written to a number that the client had before. It allows free text for
  // 24 hours, so that the next message goes by its template.
  if (windowClosed) {
    await setSilentSince(tx, recipient, { since: new Date(message.at.getTime() - DAY), until: message.at });
    return;
  }
  const channelUserId = reports.find((report) => report.channelUserId !== null)?.channelUserId ?? null;
  await learnRecipient(tx, recipient, {
    ...(unreached === null ? { reachedAt: now } : { unreachableAt: unreachableSince(now, unreached) }),
    ...(channelUserId === null ? {} : { channelUserId }),
  });
}
