import { randomUUID } from 'node:crypto';
import type { DisabledReason } from '../../../kernel/event-types.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addAudit } from '../../accounts/queries/add-audit.ts';
import type { WebhookAnswer } from '../ports/webhook-sender.ts';
import { type DueDelivery, failWaiting, storeAttempt } from '../queries/webhook-deliveries.ts';
import { disabledFor, lockWebhook, updateWebhook } from '../queries/webhooks.ts';
import { hasFailedTooLong, pauseMs, retryWaitMs } from '../rules/webhook-retries.ts';
import { WEBHOOK_DISABLED } from './change-webhook.ts';
import type { EventDeps } from './deps.ts';

const GONE = 410;

/** `stop`: this address gets no more posts now. */
export type AttemptOutcome = 'delivered' | 'failed' | 'stop';

export interface WebhookKey {
  readonly clientId: string;
  readonly webhookId: string;
}

/** A post that was made, and what it was answered. */
interface Posted {
  readonly due: DueDelivery;
  /** The address it went to, which the client may have changed meanwhile. */
  readonly url: string;
  readonly answer: WebhookAnswer;
}

/**
 * Stores what came of an attempt, and what follows from it for the webhook. What an address answers says nothing about
 * the one that has taken its place: the delivery is due there at once.
 */
export async function recordAttempt(
  tx: Tx,
  deps: Pick<EventDeps, 'now' | 'workflows'>,
  key: WebhookKey,
  { due, url, answer }: Posted,
): Promise<AttemptOutcome> {
  const { failure, status, response, retryAfterSeconds } = answer;
  const id = key.webhookId;
  const webhook = await lockWebhook(tx, { clientId: key.clientId, id });
  // It was deleted meanwhile, with its deliveries.
  if (webhook === undefined) return 'stop';
  const hasMoved = webhook.url !== url;
  const result = { status, error: failure, response };
  if (failure === null) {
    await storeAttempt(tx, due, { ...result, state: 'delivered', waitMs: null });
    if (hasMoved) return 'stop';
    if (webhook.failingSince !== null) await updateWebhook(tx, id, { failingSince: null });
    return 'delivered';
  }
  if (hasMoved) {
    await storeAttempt(tx, due, { ...result, state: 'pending', waitMs: 0 });
    return 'stop';
  }
  if (webhook.state === 'disabled') {
    await storeAttempt(tx, due, { ...result, state: 'failed', waitMs: null });
    return 'failed';
  }
  const now = deps.now();
  const failingSince = webhook.failingSince ?? now;
  const dead: DisabledReason | null = status === GONE ? 'gone' : hasFailedTooLong(failingSince, now) ? 'failing' : null;
  const retry = dead === null ? retryWaitMs(due.attempts + 1, Math.random()) : null;
  const pause = pauseMs(retryAfterSeconds);
  const waitMs = retry === null ? null : Math.max(retry, pause ?? 0);
  await storeAttempt(tx, due, { ...result, state: waitMs === null ? 'failed' : 'pending', waitMs });
  if (dead !== null) {
    await disable(tx, deps, key, dead);
    return 'stop';
  }
  const pausedUntil = pause === null ? {} : { pausedUntil: new Date(now.getTime() + pause) };
  await updateWebhook(tx, id, { failingSince, ...pausedUntil });
  return pause === null ? 'failed' : 'stop';
}

/** The webhook's row is locked, so that of several failures at once the first disables it and sends the mail. */
async function disable(
  tx: Tx,
  { workflows }: Pick<EventDeps, 'workflows'>,
  key: WebhookKey,
  reason: DisabledReason,
): Promise<void> {
  const { clientId, webhookId } = key;
  await updateWebhook(tx, webhookId, disabledFor(reason));
  await failWaiting(tx, key, WEBHOOK_DISABLED);
  const entry = { clientId, actor: 'system', action: 'webhook_disabled', target: webhookId } as const;
  await addAudit(tx, { ...entry, details: { reason } });
  const mail = { clientId, requestId: randomUUID(), kind: 'webhook_disabled', about: webhookId } as const;
  await addOutbox(tx, workflows.mailClient(mail));
}
