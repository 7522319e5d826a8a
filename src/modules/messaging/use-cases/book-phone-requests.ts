import { randomUUID } from 'node:crypto';
import { HOUR } from '../../../kernel/calendar.ts';
import { addOutboxRows } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { askingSender, insertPhoneRequests, type NewPhoneRequest } from '../queries/phone-requests.ts';
import type { ChannelEventDeps, ReceivedBy } from './channel-event-deps.ts';
import { type Written, writtenAt } from './find-debt-of-written.ts';

/** WhatsApp takes it for 24 hours after the person wrote, and the message may be a while on its way. */
const MAY_ASK_MS = 23 * HOUR;

export const phoneRequestContext = (clientId: string, id: string): string => `${clientId}:phone-request:${id}`;

/**
 * Books that people are asked for the phone who have just written, have no debt with the client and are named by WhatsApp
 * by an id alone: each once in the time that what strangers write is kept. Whoever sends a card is not asked.
 */
export async function bookPhoneRequests(
  tx: Tx,
  deps: ChannelEventDeps,
  by: ReceivedBy,
  strangers: readonly Written[],
): Promise<void> {
  const { clientId, channel } = by;
  const askedBy = new Map<string, boolean>();
  const requests = new Map<string, NewPhoneRequest>();
  for (const event of strangers) {
    const request = requestTo(deps, by, event);
    if (request === null || requests.has(request.personKey)) continue;
    const { senderId, personKey } = request;
    const mayAsk = askedBy.get(senderId) ?? (await askingSender(tx, { clientId, channel, senderId })) !== undefined;
    askedBy.set(senderId, mayAsk);
    if (mayAsk) requests.set(personKey, request);
  }
  const rows = [...requests.values()].sort((one, other) => (one.personKey < other.personKey ? -1 : 1));
  const booked = rows.length === 0 ? [] : await insertPhoneRequests(tx, rows);
  await addOutboxRows(
    tx,
    booked.map(({ id: requestId }) => deps.workflows.askForPhone({ clientId, requestId })),
  );
}

function requestTo(
  { personKeys, cipher, now }: ChannelEventDeps,
  { clientId, channel }: ReceivedBy,
  event: Written,
): NewPhoneRequest | null {
  if (event.kind !== 'message' || event.card !== undefined || channel !== 'whatsapp') return null;
  const { fromPhone, channelUserId, senderId } = event;
  if (fromPhone !== null || channelUserId === null) return null;
  const received = now();
  const askUntil = new Date(writtenAt(event, received).getTime() + MAY_ASK_MS);
  if (askUntil <= received) return null;
  const id = randomUUID();
  return {
    id,
    clientId,
    channel,
    senderId,
    personKey: personKeys.channelUser(channel, channelUserId),
    sealed: cipher.seal(channelUserId, phoneRequestContext(clientId, id)),
    askUntil,
    createdAt: received,
  };
}
