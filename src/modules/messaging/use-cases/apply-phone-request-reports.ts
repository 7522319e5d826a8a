import type { Tx } from '../../../platform/database/tx.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { reportedPhoneRequests, setPhoneRequest } from '../queries/phone-requests.ts';
import { deliveryAfter } from '../rules/delivery-states.ts';
import { isPaymentMissing } from '../rules/watched-number.ts';
import type { Report } from './apply-reports.ts';
import { failureText } from './attempt-to-send.ts';
import type { ChannelEventDeps, ReceivedBy } from './channel-event-deps.ts';
import { countReports } from './count-message.ts';
import { stopSender } from './sender-state.ts';

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
    const delivery = own.reduce((state, report) => deliveryAfter(state, report.delivery), request.delivery);
    if (delivery === request.delivery) continue;
    const { failure = null } = own.find((report) => report.failure !== null) ?? {};
    const reason = failure === null ? null : failureText(failure);
    await setPhoneRequest(tx, request.id, {
      delivery,
      channelMessageId: request.channelMessageId ?? own[0]!.channelMessageId,
      ...(delivery === 'failed' ? { failure: reason } : {}),
    });
    if (delivery === 'failed' && reason !== null && isPaymentMissing(reason)) {
      const { clientId, channel } = by;
      await stopSender(tx, deps, { clientId, channel, senderId: request.senderId }, { state: 'paused', reason });
    }
  }
}
