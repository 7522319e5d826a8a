import { randomUUID } from 'node:crypto';
import { setImmediate as afterOthers } from 'node:timers/promises';
import { AppError } from '../../../kernel/errors.ts';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import type { ChannelRequest, ChannelWebhook } from '../ports/channel-webhook.ts';
import { CLIENTS_OF_SENDERS } from '../queries/sender-news.ts';
import type { ChannelEventDeps } from './channel-event-deps.ts';

/** The clients whose own secret has signed the request, or `deployment` when a secret of the deployment has. */
export type Verified =
  | { readonly by: 'deployment' }
  | { readonly by: 'clients'; readonly clientIds: readonly string[] };

/**
 * Verifies the signature of a request with the secrets of the clients that it names and of nobody else, so that no client
 * can sign for the sender of another one. Throws `signature_invalid`.
 */
export async function verifyChannelRequest(
  deps: Pick<ChannelEventDeps, 'db' | 'channelCredentials' | 'ownSecrets'>,
  channel: RealChannel,
  webhook: ChannelWebhook,
  request: ChannelRequest,
): Promise<Verified> {
  const own = deps.ownSecrets(channel);
  if (own !== null) {
    if (!webhook.verify(request, orUnknown(own))) throw new AppError('signature_invalid');
    return { by: 'deployment' };
  }
  const clientIds: string[] = [];
  const named = await clientsOfSenders(deps, channel, await webhook.senders(request));
  for (const clientId of named) {
    const secrets = await deps.channelCredentials.webhookSecrets(clientId, channel);
    if (webhook.verify(request, orUnknown(secrets))) clientIds.push(clientId);
    // A body of three megabytes takes some milliseconds for each client.
    await afterOthers();
  }
  if (named.length === 0) webhook.verify(request, orUnknown([]));
  if (clientIds.length === 0) throw new AppError('signature_invalid');
  return { by: 'clients', clientIds };
}

/** A sender without secrets, or an unknown one, takes as long as one whose secret did not sign. */
const orUnknown = (secrets: readonly string[]): readonly string[] => (secrets.length === 0 ? [randomUUID()] : secrets);

export async function clientsOfSenders(
  { db }: Pick<ChannelEventDeps, 'db'>,
  channel: RealChannel,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  return (await db.runUnscoped(CLIENTS_OF_SENDERS, { channel, names })).map(({ clientId }) => clientId);
}

type Query = Readonly<Record<string, string | undefined>>;

export interface SubscriptionDeps {
  /** Answers the question by which WhatsApp checks a webhook address; null on a deployment that does not use it. */
  readonly challengeOf: ((query: Query) => string | null) | null;
}

/** Throws `signature_invalid` when the question does not bring the token that the operator has entered at WhatsApp. */
export const answerSubscription =
  ({ challengeOf }: SubscriptionDeps) =>
  (query: Query): string => {
    const challenge = challengeOf?.(query) ?? null;
    if (challenge === null) throw new AppError('signature_invalid');
    return challenge;
  };
