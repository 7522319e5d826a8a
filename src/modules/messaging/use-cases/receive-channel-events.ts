import { AppError } from '../../../kernel/errors.ts';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { storable } from '../../../kernel/received-text.ts';
import { mapDbError } from '../../../platform/database/map-db-error.ts';
import {
  ChannelBodyError,
  type ChannelEvent,
  type ChannelRequest,
  type ChannelWebhook,
} from '../ports/channel-webhook.ts';
import { assignEvents } from './assign-events.ts';
import type { ChannelEventDeps } from './channel-event-deps.ts';
import { storeChannelEvents } from './store-channel-events.ts';
import { verifyChannelRequest } from './verify-channel-request.ts';

export type { ChannelRequest };

export type ReceiveChannelEvents = (channel: RealChannel, request: ChannelRequest) => Promise<void>;

/**
 * Receives what a channel posts. Everything is durable once this resolves, and a repeated request changes nothing. The
 * debtors' messages are understood and answered later, by the workflows of their debts.
 */
export const receiveChannelEvents =
  (deps: ChannelEventDeps): ReceiveChannelEvents =>
  async (channel, request) => {
    const webhook = deps.webhooks[channel];
    if (webhook === undefined) throw new AppError('signature_invalid');
    const verified = await verifyChannelRequest(deps, channel, webhook, request);
    const events = await readEvents(webhook, request);
    for (const [clientId, own] of await assignEvents(deps, channel, verified, events)) {
      await storeAll(deps, channel, clientId, own);
    }
  };

export type CheckChannelHead = (channel: RealChannel, headers: ChannelRequest['headers']) => void;

/** Throws `signature_invalid` for a request that cannot be right, whatever its body is. */
export const checkChannelHead =
  ({ webhooks }: Pick<ChannelEventDeps, 'webhooks'>): CheckChannelHead =>
  (channel, headers) => {
    // Nobody can sign for a channel that the deployment does not use.
    if (webhooks[channel]?.mayBeSigned(headers) !== true) throw new AppError('signature_invalid');
  };

async function readEvents(webhook: ChannelWebhook, request: ChannelRequest): Promise<readonly ChannelEvent[]> {
  try {
    // What channels name is compared with what is stored, so an id that cannot be stored is none of ours.
    return (await webhook.read(request)).filter(hasStorableIds);
  } catch (error) {
    if (error instanceof ChannelBodyError) throw new AppError('malformed_json', { detail: error.message });
    throw error;
  }
}

const hasStorableIds = (event: ChannelEvent): boolean =>
  Object.entries(event).every(
    ([name, value]) => name === 'text' || typeof value !== 'string' || storable(value) === value,
  );

/**
 * All events of a client are one transaction. When an event cannot be stored, the others are stored one by one, and the
 * request fails, so that the channel repeats it.
 */
async function storeAll(
  deps: ChannelEventDeps,
  channel: RealChannel,
  clientId: string,
  events: readonly ChannelEvent[],
): Promise<void> {
  const store = (some: readonly ChannelEvent[]): Promise<void> =>
    deps.db.tenant(clientId).transactional((tx) => storeChannelEvents(tx, deps, { clientId, channel }, some));
  try {
    return await store(events);
  } catch (error) {
    if (events.length === 1 || isPassing(error)) throw error;
  }
  let failure: unknown;
  for (const event of events) {
    try {
      await store([event]);
    } catch (error) {
      if (isPassing(error)) throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
}

/** The database is down or busy, so the next statement would fail too. */
const isPassing = (error: unknown): boolean => mapDbError(error)?.code === 'unavailable';
