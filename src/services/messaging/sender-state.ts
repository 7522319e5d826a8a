import type { EntityManager } from '@mikro-orm/postgresql';
import { setSenderState } from '../../db/queries/channel-senders.ts';
import { HOUR } from '../../domain/calendar.ts';
import type { RealChannel } from '../../domain/messaging-channels.ts';
import type { SharedDeps } from '../shared/deps.ts';

/** A sender that cannot send is tried again hourly, because a corrected account may be noticed by nothing else. */
export const SENDER_REST_MS = HOUR;

interface SenderKey {
  readonly clientId: string;
  readonly channel: RealChannel;
  readonly senderId: string;
}

/** Stops a sender: the channel has refused its credentials (`failing`) or lets it send nothing for a time (`paused`). */
export async function stopSender(
  em: EntityManager,
  deps: Pick<SharedDeps, 'now' | 'note'>,
  key: SenderKey,
  { state, reason }: { readonly state: 'failing' | 'paused'; readonly reason: string },
): Promise<void> {
  const pausedUntil = new Date(deps.now().getTime() + SENDER_REST_MS);
  const changed = await setSenderState(em, key, { state, reason, pausedUntil });
  if (changed === undefined || changed.before === state) return;
  deps.note('A sender stopped: the channel accepts none of its messages.', { ...key, state, reason });
}

/** Lets a sender send again after the channel has accepted a message of it. */
export async function startSender(em: EntityManager, deps: Pick<SharedDeps, 'note'>, key: SenderKey): Promise<void> {
  const changed = await setSenderState(em, key, { state: 'ready', reason: null, pausedUntil: null });
  if (changed === undefined || changed.before === 'ready') return;
  deps.note('A sender works again.', { ...key });
}
