import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import type { ChannelEvent } from '../ports/channel-webhook.ts';
import { CLIENTS_OF_MESSAGES } from '../queries/message-reports.ts';
import { sendersOnChannel } from '../queries/sender-news.ts';
import type { ChannelEventDeps } from './channel-event-deps.ts';
import type { DebtOfWriter } from './find-debt-of-writer.ts';
import { findDebtOfWritten, isWritten, type Written } from './find-debt-of-written.ts';
import { clientsOfSenders, type Verified } from './verify-channel-request.ts';

type Assignments = ReadonlyMap<string, readonly ChannelEvent[]>;
type Owners = ReadonlyMap<string, string>;

/**
 * Decides which client receives each event. Several clients may share a number: the newest conversation with the person
 * then decides, and an answer goes to the client whose message it answers. Each client later takes only what names its
 * own senders and messages.
 */
export async function assignEvents(
  deps: ChannelEventDeps,
  channel: RealChannel,
  verified: Verified,
  events: readonly ChannelEvent[],
): Promise<Assignments> {
  const owners = channel === 'email' ? await ownersOf(deps, events) : new Map<string, string>();
  const clientIds = verified.by === 'clients' ? verified.clientIds : await clientsNamed(deps, channel, events);
  const assigned = new Map<string, ChannelEvent[]>();
  const assign = (clientId: string, event: ChannelEvent): void => {
    const earlier = assigned.get(clientId);
    if (earlier === undefined) assigned.set(clientId, [event]);
    else earlier.push(event);
  };
  const shared: Written[] = [];
  for (const event of events) {
    const owner = owners.get(ownMessageOf(event) ?? '');
    if (owner !== undefined) assign(owner, event);
    else if (isWritten(event) && clientIds.length > 1) shared.push(event);
    else for (const clientId of clientIds) assign(clientId, event);
  }
  const receivers = await receiversOf(deps, channel, clientIds, shared);
  for (const [event, clientId] of receivers) assign(clientId, event);
  return assigned;
}

/** The service's own id of the message that an event is about, where the channel tells it. */
const ownMessageOf = (event: ChannelEvent): string | null => {
  if (event.kind === 'delivery') return event.messageId;
  return isWritten(event) ? (event.inReplyTo ?? null) : null;
};

/** All clients send their e-mails from one address, so only the message that is meant tells the client. */
async function ownersOf({ db }: ChannelEventDeps, events: readonly ChannelEvent[]): Promise<Owners> {
  const messageIds = [...new Set(events.map(ownMessageOf).filter(isUuid))];
  if (messageIds.length === 0) return new Map();
  const rows = await db.runUnscoped(CLIENTS_OF_MESSAGES, { messageIds });
  return new Map(rows.map(({ messageId, clientId }) => [messageId, clientId]));
}

async function clientsNamed(
  deps: ChannelEventDeps,
  channel: RealChannel,
  events: readonly ChannelEvent[],
): Promise<readonly string[]> {
  const names = events.flatMap((event) => [
    'senderId' in event ? event.senderId : null,
    'accountId' in event ? event.accountId : null,
  ]);
  return clientsOfSenders(deps, channel, [...new Set(names.filter((name) => name !== null))]);
}

interface Receiver {
  readonly clientId: string;
  readonly debt: DebtOfWriter | null;
}

/** The client with the newest conversation comes first, and a client without a debt of the person last. */
const isBetter = (one: Receiver, other: Receiver): boolean => {
  if (one.debt === null || other.debt === null) return one.debt !== null;
  return (one.debt.talkedAt?.getTime() ?? 0) > (other.debt.talkedAt?.getTime() ?? 0);
};

async function receiversOf(
  deps: ChannelEventDeps,
  channel: RealChannel,
  clientIds: readonly string[],
  events: readonly Written[],
): Promise<ReadonlyMap<Written, string>> {
  const best = new Map<Written, Receiver>();
  for (const clientId of events.length === 0 ? [] : clientIds) {
    await deps.db.tenant(clientId).transactional(async (tx) => {
      const senders = await sendersOnChannel(tx, channel);
      for (const event of events.filter(({ senderId }) => senders.some((sender) => sender.senderId === senderId))) {
        const { debt } = await findDebtOfWritten(tx, deps, channel, event);
        const receiver = { clientId, debt };
        const known = best.get(event);
        if (known === undefined || isBetter(receiver, known)) best.set(event, receiver);
      }
    });
  }
  return new Map([...best].map(([event, { clientId }]) => [event, clientId]));
}
