import { setTimeout as sleep } from 'node:timers/promises';
import type { CredentialCipher } from '../../../kernel/ports/credential-cipher.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { keepSentTexts } from '../../genuine/use-cases/keep-sent-texts.ts';
import {
  type ChannelCredentials,
  type MessagingChannel,
  MessagingError,
  type PhoneRequest,
  type SentMessage,
} from '../ports/messaging-channel.ts';
import { askingSender, lockPhoneRequest, setPhoneRequest } from '../queries/phone-requests.ts';
import { takeSenderSlot } from '../queries/sender-pace.ts';
import { debtOfChannelUser } from '../queries/writers.ts';
import { phoneRequestText } from '../texts/phone-request.ts';
import { causeOf, failureText } from './attempt-to-send.ts';
import { phoneRequestContext } from './book-phone-requests.ts';
import { countSent } from './count-message.ts';
import type { MessagingDeps } from './deps.ts';
import { stopRefused } from './sender-state.ts';
import { realSendersOf } from './senders-of.ts';
import { slownessOf } from './wait-for-sender-slot.ts';

type Deps = Pick<MessagingDeps, 'db' | 'now' | 'note' | 'sendersOf' | 'textHashes' | 'workflows'> & {
  readonly cipher: CredentialCipher;
};

interface Task {
  readonly clientId: string;
  readonly requestId: string;
}

/** Null once the request is done; otherwise when to look at it again. */
interface Next {
  readonly waitMs: number | null;
}

/** Requests keep a slow pace of their own, so that a thousand strangers at once leave the sender to debtors. */
const REQUESTS_PER_SECOND = 10;
/** A turn within this time is waited for here. No debtor waits longer for a turn that a request has taken. */
const SOON_MS = 1_000;
const BUSY_RETRY_MS = 15_000;
const SOONEST_RETRY_MS = 15_000;
const LATEST_RETRY_MS = 30 * 60_000;

type Locked = NonNullable<Awaited<ReturnType<typeof lockPhoneRequest>>>;

interface Ready {
  readonly request: Locked;
  readonly ask: NonNullable<MessagingChannel['askForPhone']>;
  readonly message: PhoneRequest & { readonly credentials: ChannelCredentials | null };
  readonly sleepMs: number;
}

/**
 * Sends one request for a phone when it is its turn. It is stored as attempted before, so that it is sent at most once: an
 * attempt of which nobody knows the outcome counts as sent.
 */
export const askForPhone =
  (deps: Deps) =>
  async ({ clientId, requestId }: Task): Promise<Next> => {
    const db = deps.db.tenant(clientId);
    const ready = await db.transactional((tx) => prepare(tx, deps, clientId, requestId));
    if ('waitMs' in ready) return ready;
    const { request, ask, message, sleepMs } = ready;
    if (sleepMs > 0) await sleep(sleepMs);
    const sent = await ask(message).catch((error: unknown) => failureOf(error));
    return db.transactional((tx) => record(tx, deps, request, message.text, sent));
  };

const DONE: Next = { waitMs: null };

/** Decides whether the request is sent now, and stores that it is. */
async function prepare(tx: Tx, deps: Deps, clientId: string, requestId: string): Promise<Ready | Next> {
  const request = await lockPhoneRequest(tx, requestId);
  if (request === undefined || request.delivery !== 'booked') return DONE;
  const end = async (delivery: 'unknown' | 'failed', failure: string | null): Promise<Next> => {
    await setPhoneRequest(tx, requestId, { delivery, failure });
    return DONE;
  };
  // An earlier run of this activity was killed.
  if (request.attemptedAt !== null) return end('unknown', null);
  const now = deps.now();
  if (now.getTime() >= request.askUntil.getTime()) return end('failed', 'late');
  const { channel, senderId } = request;
  const sender = await askingSender(tx, { clientId, channel, senderId });
  const own = (await realSendersOf(tx, deps, clientId)).find(({ name, id }) => name === channel && id === senderId);
  const ask = own?.channel.askForPhone?.bind(own.channel);
  if (sender === undefined || own === undefined || ask === undefined) return end('failed', 'no_sender');
  const channelUserId = deps.cipher.open(request.sealed, phoneRequestContext(clientId, requestId));
  if ((await debtOfChannelUser(tx, channel, channelUserId)) !== undefined) return end('failed', 'known');

  const scope = `${channel}:${senderId}`;
  const slower = slownessOf(sender.quality);
  const turnAt = request.turnAt ?? (await ownTurn(tx, scope, { now, latest: request.askUntil, slower }));
  if (turnAt === null) return end('failed', 'late');
  const soon = new Date(now.getTime() + SOON_MS);
  const waitMs = turnAt.getTime() - now.getTime();
  if (request.turnAt === null) await setPhoneRequest(tx, requestId, { turnAt });
  if (waitMs > SOON_MS) return { waitMs };
  const perSecond = own.channel.capabilities.pace?.perSecond ?? REQUESTS_PER_SECOND;
  const slot = await takeSenderSlot(tx, scope, { now, latest: soon, intervalMs: (1_000 * slower) / perSecond });
  if (slot === null) return { waitMs: BUSY_RETRY_MS };
  await setPhoneRequest(tx, requestId, { attemptedAt: now });
  const text = phoneRequestText(sender.company);
  await keepSentTexts(tx, deps, { clientId, sandbox: false, texts: [text] });
  const message = {
    id: requestId,
    channelUserId,
    text,
    credentials: own.credentials,
  };
  return { request, ask, message, sleepMs: Math.max(slot.getTime(), turnAt.getTime()) - now.getTime() };
}

const ownTurn = (
  tx: Tx,
  scope: string,
  { now, latest, slower }: { readonly now: Date; readonly latest: Date; readonly slower: number },
): Promise<Date | null> =>
  takeSenderSlot(tx, `${scope}:phones`, { now, latest, intervalMs: (1_000 * slower) / REQUESTS_PER_SECOND });

/** Returns null when nobody knows whether the request was sent. */
const failureOf = (error: unknown): MessagingError | null =>
  error instanceof MessagingError && error.surelyNotSent ? error : null;

async function record(
  tx: Tx,
  deps: Deps,
  { id, clientId, channel, senderId, createdAt }: Locked,
  text: string,
  sent: SentMessage | MessagingError | null,
): Promise<Next> {
  // A delivery report may have come before.
  const isOpen = (await lockPhoneRequest(tx, id))?.delivery === 'booked';
  if (sent === null) {
    if (isOpen) await setPhoneRequest(tx, id, { delivery: 'unknown' });
    return DONE;
  }
  if (!(sent instanceof MessagingError)) {
    const { channelMessageId } = sent;
    await setPhoneRequest(tx, id, { channelMessageId, ...(isOpen ? { delivery: 'sent' } : {}) });
    const counted = { messageId: id, clientId, campaignId: null, channel, senderId };
    await countSent(tx, deps, { ...counted, byTemplate: false, text });
    return DONE;
  }
  const { kind, scope, channelCode, retryAfterSeconds = 0 } = sent;
  if (kind === 'unknown_outcome' || !isOpen) return DONE;
  const cause = causeOf(kind, scope);
  const failure = failureText({ kind, channelCode });
  if (cause === 'passing' || cause === 'throttled') {
    await setPhoneRequest(tx, id, { attemptedAt: null, failure });
    const waited = deps.now().getTime() - createdAt.getTime();
    const waitMs = Math.min(LATEST_RETRY_MS, Math.max(SOONEST_RETRY_MS, waited / 2));
    return { waitMs: Math.max(waitMs, retryAfterSeconds * 1_000) };
  }
  await setPhoneRequest(tx, id, { delivery: 'failed', failure });
  await stopRefused(tx, deps, { clientId, channel, senderId }, { kind, failure });
  return DONE;
}
