import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { STRICT_SEGMENTS, smsSize } from '../../../kernel/sms-text.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { SharedDeps } from '../../deps.ts';
import type { ChannelEvent } from '../ports/channel-webhook.ts';
import { countAccepted, countReported } from '../queries/counted-messages.ts';
import type { ReportedMessage } from '../queries/message-reports.ts';

type Report = Extract<ChannelEvent, { kind: 'delivery' }>;

interface SentMessage {
  readonly messageId: string;
  readonly clientId: string;
  /** Null for a request for a phone. */
  readonly campaignId: string | null;
  readonly channel: RealChannel;
  readonly senderId: string;
  readonly byTemplate: boolean;
  readonly text: string;
}

/**
 * Counts a message that its channel has accepted. WhatsApp charges for it once it is delivered, an SMS costs from now on,
 * and an e-mail costs nothing.
 */
export async function countSent(tx: Tx, { now }: Pick<SharedDeps, 'now'>, sent: SentMessage): Promise<void> {
  const { messageId, clientId, campaignId, channel, senderId, byTemplate, text } = sent;
  if (channel === 'email') return;
  const isSms = channel !== 'whatsapp';
  const at = now();
  await countAccepted.run(tx, {
    messageId,
    clientId,
    campaignId,
    channel,
    senderId,
    kind: isSms ? 'sms' : byTemplate ? 'utility' : 'service',
    units: isSms ? Math.max(1, smsSize(text, STRICT_SEGMENTS).segments) : 1,
    at,
    deliveredAt: isSms ? at : null,
  });
}

/**
 * Counts what WhatsApp reports of a message, whatever its state is by now: a message that failed and arrived all the same
 * is charged for too. A moment outside of the message's own life is a mistake of a clock.
 */
export async function countReports(
  tx: Tx,
  { now }: Pick<SharedDeps, 'now'>,
  { clientId, channel }: { readonly clientId: string; readonly channel: RealChannel },
  message: Pick<ReportedMessage, 'id' | 'senderId' | 'createdAt'> & { readonly campaignId: string | null },
  reports: readonly Report[],
): Promise<void> {
  if (channel !== 'whatsapp') return;
  for (const { delivery, at, price, senderId: named } of reports) {
    const senderId = message.senderId ?? named;
    if (senderId === null) continue;
    const received = now();
    const moment = Math.min(Math.max((at ?? received).getTime(), message.createdAt.getTime()), received.getTime());
    const isDelivered = delivery === 'delivered' || delivery === 'read';
    await countReported.run(tx, {
      messageId: message.id,
      clientId,
      campaignId: message.campaignId,
      channel,
      senderId,
      kind: price?.kind ?? 'service',
      isNamed: price?.kind != null,
      isFree: price?.isFree ?? false,
      acceptedAt: message.createdAt,
      reportedAt: received,
      deliveredAt: isDelivered ? new Date(moment) : null,
    });
  }
}
