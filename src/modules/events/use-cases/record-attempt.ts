import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { DisabledReason } from '../../../kernel/event-types.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import { addAudit } from '../../accounts/queries/add-audit.ts';
import type { WebhookAnswer } from '../ports/webhook-sender.ts';
import { type DueDelivery, failWaiting, storeAttempt } from '../queries/webhook-deliveries.ts';
import { disabledFor, lockWebhook, updateWebhook } from '../queries/webhooks.ts';
import { hasFailedTooLong, pauseMs, retryWaitMs } from '../rules/webhook-retries.ts';
import { WEBHOOK_DISABLED } from './change-webhook.ts';
import type { EventDeps } from './deps.ts';

const GONE = 410;

/** `stop`: the receiver wants no more posts now. */
export type AttemptOutcome = 'delivered' | 'failed' | 'stop';

export interface WebhookKey {
  readonly clientId: string;
  readonly webhookId: string;
}

/** Stores what came of an attempt, and what follows from it for the webhook. */
export async function recordAttempt(
  em: EntityManager,
  deps: Pick<EventDeps, 'now' | 'workflows'>,
  key: WebhookKey,
  due: DueDelivery,
  { failure, status, response, retryAfterSeconds }: WebhookAnswer,
): Promise<AttemptOutcome> {
  const id = key.webhookId;
  const webhook = await lockWebhook(em, { clientId: key.clientId, id });
  // It was deleted meanwhile, with its deliveries.
  if (webhook === undefined) return 'stop';
  const result = { status, error: failure, response };
  if (failure === null) {
    await storeAttempt(em, due, { ...result, state: 'delivered', waitMs: null });
    if (webhook.failingSince !== null) await updateWebhook(em, id, { failingSince: null });
    return 'delivered';
  }
  if (webhook.state === 'disabled') {
    await storeAttempt(em, due, { ...result, state: 'failed', waitMs: null });
    return 'failed';
  }
  const now = deps.now();
  const failingSince = webhook.failingSince ?? now;
  const dead: DisabledReason | null = status === GONE ? 'gone' : hasFailedTooLong(failingSince, now) ? 'failing' : null;
  const retry = dead === null ? retryWaitMs(due.attempts + 1, Math.random()) : null;
  const pause = pauseMs(retryAfterSeconds);
  const waitMs = retry === null ? null : Math.max(retry, pause ?? 0);
  await storeAttempt(em, due, { ...result, state: waitMs === null ? 'failed' : 'pending', waitMs });
  if (dead !== null) {
    await disable(em, deps, key, dead);
    return 'stop';
  }
  const pausedUntil = pause === null ? {} : { pausedUntil: new Date(now.getTime() + pause) };
  await updateWebhook(em, id, { failingSince, ...pausedUntil });
  return pause === null ? 'failed' : 'stop';
}

/** The webhook's row is locked, so that of several failures at once the first disables it and sends the mail. */
async function disable(
  em: EntityManager,
  { workflows }: Pick<EventDeps, 'workflows'>,
  key: WebhookKey,
  reason: DisabledReason,
): Promise<void> {
  const { clientId, webhookId } = key;
  await updateWebhook(em, webhookId, disabledFor(reason));
  await failWaiting(em, key, WEBHOOK_DISABLED);
  const entry = { clientId, actor: 'system', action: 'webhook_disabled', target: webhookId } as const;
  await addAudit(em, { ...entry, details: { reason } });
  const mail = { clientId, requestId: randomUUID(), kind: 'webhook_disabled', about: webhookId } as const;
  await addOutbox(em, workflows.mailClient(mail));
}
