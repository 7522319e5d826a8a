import { z } from 'zod';
import { receivedText } from '../../../kernel/received-text.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { answeredPhoneRequests } from '../queries/phone-requests.ts';
import { keptOfPerson } from '../queries/unmatched-messages.ts';
import { debtOfChannelUser } from '../queries/writers.ts';
import type { Report } from './apply-reports.ts';
import type { ChannelEventDeps, ReceivedBy } from './channel-event-deps.ts';
import { storeReceived } from './receive-message.ts';

export const keptContext = (clientId: string, channelMessageId: string): string =>
  `${clientId}:unmatched:${channelMessageId}`;

const content = z.object({ text: z.string() });

/**
 * Somebody may have written beside the card, before anything was known of the id: that must be heard, above all a request
 * for silence. Once a delivery has shown that the id is that of the debtor's phone, those messages become the debtor's.
 */
export async function storeKept(
  tx: Tx,
  deps: ChannelEventDeps,
  { clientId, channel }: ReceivedBy,
  reports: readonly Report[],
): Promise<void> {
  const people = new Map<string, string>();
  for (const { delivery, channelUserId } of reports) {
    if (channelUserId === null || (delivery !== 'delivered' && delivery !== 'read')) continue;
    people.set(deps.personKeys.channelUser(channel, channelUserId), channelUserId);
  }
  for (const { personKey } of await answeredPhoneRequests(tx, channel, [...people.keys()])) {
    const debt = await debtOfChannelUser(tx, channel, people.get(personKey)!);
    if (debt === undefined) continue;
    for (const { channelMessageId, senderId, sealed } of await keptOfPerson(tx, channel, personKey)) {
      const { text } = content.parse(JSON.parse(deps.cipher.open(sealed, keptContext(clientId, channelMessageId))));
      const message = { clientId, debtId: debt.id, channel, senderId, phone: debt.phone, channelMessageId };
      if (text.trim() !== '') await storeReceived(tx, deps, { ...message, ...receivedText(text) });
    }
  }
}
