import { createHash } from 'node:crypto';
import { HOUR } from '../../../kernel/calendar.ts';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { SharedDeps } from '../../deps.ts';
import type { MessagingErrorKind } from '../ports/messaging-channel.ts';
import { setPixCodes, setSenderState } from '../queries/channel-senders.ts';

/** A sender that cannot send is tried again hourly, because a corrected account may be noticed by nothing else. */
export const SENDER_REST_MS = HOUR;

/** Why a sender is paused that people have blocked too often. */
export const QUALITY_BLOCKED = 'quality blocked';

interface SenderKey {
  readonly clientId: string;
  readonly channel: RealChannel;
  readonly senderId: string;
}

type Stop = 'failing' | 'paused';

/**
 * Stops a sender: the channel has refused its credentials (`failing`) or lets it send nothing for a time (`paused`). The
 * client is told by mail, at most once a day for each of the two.
 */
export async function stopSender(
  tx: Tx,
  deps: Pick<SharedDeps, 'now' | 'note' | 'workflows'>,
  key: SenderKey,
  { state, reason }: { readonly state: Stop; readonly reason: string },
): Promise<void> {
  const now = deps.now();
  const pausedUntil = new Date(now.getTime() + SENDER_REST_MS);
  const changed = await setSenderState(tx, key, { state, reason, pausedUntil });
  if (changed === undefined || changed.before === state) return;
  deps.note('A sender stopped: the channel accepts none of its messages.', { ...key, state, reason });
  const requestId = requestIdOf(changed.id, state, now.toISOString().slice(0, 10));
  const mail = { clientId: key.clientId, requestId, kind: `sender_${state}`, about: changed.id } as const;
  await addOutbox(tx, deps.workflows.mailClient(mail));
}

/** Any other failure says nothing about the sender. */
const STOPS: Readonly<Partial<Record<MessagingErrorKind, Stop>>> = { unauthorized: 'failing', suspended: 'paused' };

/** Stops a sender where the channel has refused it, and not only a message. */
export async function stopRefused(
  tx: Tx,
  deps: Pick<SharedDeps, 'now' | 'note' | 'workflows'>,
  key: SenderKey,
  { kind, failure }: { readonly kind: MessagingErrorKind; readonly failure: string },
): Promise<void> {
  const state = STOPS[kind];
  if (state !== undefined) await stopSender(tx, deps, key, { state, reason: failure });
}

/**
 * The same for the same sender, news and period, so that a sender which stops again and again causes one mail a day, and
 * nothing causes two of a month.
 */
export function requestIdOf(id: string, news: string, period: string): string {
  const hex = createHash('sha256').update(`sender-stopped:${id}:${news}:${period}`).digest('hex');
  // The form of a UUID of version 8, whose bits are the maker's own.
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** Lets messages of a sender go without Pix codes from now on: the channel has refused one. The sender itself works. */
export async function refusePixCodes(
  tx: Tx,
  deps: Pick<SharedDeps, 'note'>,
  key: SenderKey,
  reason: string,
): Promise<void> {
  await setPixCodes(tx, key, { pixCodes: false, pixRefusal: reason });
  deps.note('A sender may send no Pix codes: the channel has refused one.', { ...key, reason });
}

/** Lets a sender send again after the channel has accepted a message of it, or its credentials. */
export async function startSender(tx: Tx, deps: Pick<SharedDeps, 'note'>, key: SenderKey): Promise<void> {
  const changed = await setSenderState(tx, key, { state: 'ready', reason: null, pausedUntil: null });
  if (changed === undefined || changed.before === 'ready') return;
  deps.note('A sender works again.', { ...key });
}
