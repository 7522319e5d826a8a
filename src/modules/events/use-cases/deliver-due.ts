import { createFairPlaces } from '../../../kernel/fair-places.ts';
import { addCounts } from '../../../platform/database/add-count.ts';
import {
  type DueDelivery,
  deleteDeliveries,
  failWaiting,
  NEXT_DUE,
  releaseDeliveries,
  TAKE_DUE_DELIVERIES,
} from '../queries/webhook-deliveries.ts';
import { lockWebhook, RECEIVER, RESEAL_WEBHOOK, type Receiver, updateWebhook } from '../queries/webhooks.ts';
import { WEBHOOK_DISABLED } from './change-webhook.ts';
import type { EventDeps } from './deps.ts';
import { eventData } from './event-view.ts';
import { type AttemptOutcome, recordAttempt, type WebhookKey } from './record-attempt.ts';
import { openSecret, sealSecret, signContent } from './webhook-secrets.ts';

const TAKEN_AT_ONCE = 50;
const POSTS_AT_ONCE = 10;
/** Longer than all posts of a batch take when each of them waits for its whole time. */
const HELD_SECONDS = 120;
/** After this time the activity ends, and the workflow starts it again. */
const RUN_MS = 10_000;
/** A receiver that took nothing of a whole batch is left alone for a while, because each post may wait for 15 s. */
const DEAD_BATCH = 10;
const DEAD_PAUSE_MS = 60_000;
/** When another attempt holds what is due, the next question comes not before this time. */
const SHORTEST_WAIT_MS = 250;

/** How many webhooks of one client a process posts to at once; it posts to twenty in all. */
const WEBHOOKS_OF_CLIENT = 4;
/** When the client's other webhooks have all its places, the next question comes after this time. */
const PLACE_WAIT_MS = 2_000;
/** A receiver that takes longer for each post of a batch than this is left alone as a dead one is. */
const SLOW_MS = 5_000;

type Deps = Pick<EventDeps, 'db' | 'now' | 'realNow' | 'sender' | 'cipher' | 'workflows'>;

/**
 * Posts what is due for a webhook, and returns how long to wait for what is due next. An attempt that dies between the
 * answer and its record is repeated: receivers get each event at least once. A client with many slow receivers waits for
 * itself, because its webhooks have a few of the process's places only.
 */
export const deliverDue = (deps: Deps) => {
  const deliver = deliverOne(deps);
  const places = createFairPlaces({ atOnce: Number.POSITIVE_INFINITY, each: WEBHOOKS_OF_CLIENT });
  return async (key: WebhookKey): Promise<{ readonly waitMs: number | null }> => {
    if (places.of(key.clientId) >= WEBHOOKS_OF_CLIENT) return { waitMs: PLACE_WAIT_MS };
    const { leave } = places.take(key.clientId);
    try {
      return await deliver(key);
    } finally {
      leave();
    }
  };
};

const deliverOne =
  (deps: Deps) =>
  async (key: WebhookKey): Promise<{ readonly waitMs: number | null }> => {
    const { clientId, webhookId } = key;
    const endAt = deps.realNow() + RUN_MS;
    for (;;) {
      const [receiver] = await deps.db.readPrepared({ clientId }, RECEIVER, { clientId, id: webhookId });
      if (receiver === undefined) {
        await deps.db.tenant(clientId).transactional((tx) => deleteDeliveries(tx, key));
        return { waitMs: null };
      }
      if (receiver.state === 'disabled') await failLate(deps, key);
      const which = { ...key, onlyManual: receiver.state === 'disabled' };
      if (receiver.pausedForMs === 0) {
        const taking = { ...which, limit: TAKEN_AT_ONCE, heldSeconds: HELD_SECONDS };
        const due = await deps.db.writePrepared({ clientId }, TAKE_DUE_DELIVERIES, taking);
        if (due.length > 0) await postAll(deps, key, receiver, due);
        if (due.length > 0 && deps.realNow() < endAt) continue;
      }
      const [next] = await deps.db.readPrepared({ clientId }, NEXT_DUE, which);
      const inMs = next?.inMs ?? null;
      return { waitMs: inMs === null ? null : Math.max(inMs, receiver.pausedForMs, SHORTEST_WAIT_MS) };
    }
  };

/**
 * Ends what was queued by a transaction that still saw the webhook active, and has committed after it was disabled. One
 * that was deleted meanwhile is noticed in the same way. The signal of that transaction leads here.
 */
const failLate = ({ db }: Deps, key: WebhookKey): Promise<void> =>
  db.tenant(key.clientId).transactional(async (tx) => {
    const webhook = await lockWebhook(tx, { clientId: key.clientId, id: key.webhookId });
    if (webhook?.state === 'disabled') await failWaiting(tx, key, WEBHOOK_DISABLED);
  });

async function postAll(deps: Deps, key: WebhookKey, receiver: Receiver, due: readonly DueDelivery[]): Promise<void> {
  const { clientId } = key;
  const secrets = await secretsOf(deps, clientId, receiver);
  const waiting = due.toSorted((one, other) => one.seq - other.seq);
  const outcomes: AttemptOutcome[] = [];
  let quick = 0;
  const work = async (): Promise<void> => {
    while (!outcomes.includes('stop')) {
      const next = waiting.shift();
      if (next === undefined) return;
      const startedAt = deps.realNow();
      const outcome = await attempt(deps, key, receiver, secrets, next);
      outcomes.push(outcome);
      if (outcome !== 'failed' && deps.realNow() - startedAt < SLOW_MS) quick += 1;
    }
  };
  await Promise.all(Array.from({ length: POSTS_AT_ONCE }, work));
  const isDead = outcomes.length >= DEAD_BATCH && quick === 0;
  if (waiting.length === 0 && !isDead) return;
  await deps.db.tenant(clientId).transactional(async (tx) => {
    const webhook = isDead ? await lockWebhook(tx, { clientId, id: key.webhookId }) : undefined;
    if (webhook?.url === receiver.url) {
      const pausedUntil = new Date(deps.now().getTime() + DEAD_PAUSE_MS);
      await updateWebhook(tx, key.webhookId, { pausedUntil });
    }
    if (waiting.length > 0) await releaseDeliveries(tx, waiting);
  });
}

async function attempt(
  { db, sender, ...deps }: Deps,
  key: WebhookKey,
  receiver: Receiver,
  secrets: readonly string[],
  due: DueDelivery,
): Promise<AttemptOutcome> {
  const body = JSON.stringify({ type: due.type, timestamp: due.at.toISOString(), data: eventData(due) });
  const timestamp = Math.floor(deps.realNow() / 1_000);
  const { url } = receiver;
  const answer = await sender.post({
    url,
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': due.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signContent(secrets, { id: due.id, timestamp, body }),
    },
    body,
  });
  return db.tenant(key.clientId).transactional(async (tx) => {
    addCounts(tx, [{ name: 'webhook_posts', labels: { outcome: answer.failure === null ? 'delivered' : 'failed' } }]);
    return recordAttempt(tx, deps, key, { due, url, answer });
  });
}

/** Returns the secrets that sign now, the newest first. What an older key has sealed is sealed again. */
async function secretsOf({ db, cipher, now }: Deps, clientId: string, receiver: Receiver): Promise<readonly string[]> {
  const { id, secret: sealed, previousSecret, previousSecretUntil } = receiver;
  const owner = { clientId, id };
  const overlaps = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now();
  const secret = openSecret(cipher, owner, sealed);
  const previous = overlaps ? openSecret(cipher, owner, previousSecret) : null;
  if (!cipher.isCurrent(sealed)) {
    await db.writePrepared({ clientId }, RESEAL_WEBHOOK, {
      ...owner,
      secret: sealed,
      resealed: sealSecret(cipher, owner, secret),
      previous: previous === null ? previousSecret : sealSecret(cipher, owner, previous),
    });
  }
  return previous === null ? [secret] : [secret, previous];
}
