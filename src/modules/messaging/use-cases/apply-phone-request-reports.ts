import type { Tx } from '../../../platform/database/tx.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { reportedPhoneRequests, setPhoneRequest } from '../queries/phone-requests.ts';
import { newsOf, type Report, stopWithoutPayment } from './apply-reports.ts';
import type { ChannelEventDeps, ReceivedBy } from './channel-event-deps.ts';
import { countReports } from './count-message.ts';

/** Applies reports to requests for a phone, which are about no debt. They cost as messages do. */
export async function applyPhoneRequestReports(
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
