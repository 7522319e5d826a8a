import { AppError } from '../../../kernel/errors.ts';
import type { EventType, WebhookState } from '../../../kernel/event-types.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { lockForCaller, type MemberOrApiKey } from '../../accounts/use-cases/lock-for-owner.ts';
import { failWaiting } from '../queries/webhook-deliveries.ts';
import { disabledFor, ENABLED, lockWebhook, updateWebhook } from '../queries/webhooks.ts';
import { SECRET_OVERLAP_MS } from '../rules/webhook-retries.ts';
import type { EventDeps } from './deps.ts';
import { newWebhookSecret, sealSecret } from './webhook-secrets.ts';
import { requireGoodUrl, storedTypes, type WebhookView, webhookView } from './webhook-view.ts';

export type WebhookChanges = MemberOrApiKey & {
  readonly id: string;
  readonly url?: string | undefined;
  readonly types?: readonly EventType[] | undefined;
  readonly state?: WebhookState | undefined;
  readonly rotateSecret?: boolean | undefined;
  readonly source: RequestSource;
};

/** What `lastError` says of a delivery that ended because its webhook was disabled. */
export const WEBHOOK_DISABLED = 'webhook_disabled';

/**
 * Changes a webhook. With `rotateSecret` the answer has a new secret, and the one before signs too for a day, so that the
 * receiver can take the new one over without losing an event.
 */
export const changeWebhook =
  (deps: Pick<EventDeps, 'db' | 'sender' | 'cipher' | 'now' | 'workflows'>) =>
  async (changes: WebhookChanges): Promise<WebhookView & { secret?: string }> => {
    const { clientId, id, url, types, state, rotateSecret = false, source } = changes;
    const known = await deps.db.tenant(clientId).transactional((tx) => lockWebhook(tx, { clientId, id }));
    if (known === undefined) throw new AppError('not_found');
    if (url !== undefined) await requireGoodUrl(deps, url);
    const secret = rotateSecret ? newWebhookSecret() : null;
    const row = await deps.db.tenant(clientId).transactional(async (tx) => {
      await lockForCaller(tx, changes, 'manage');
      const webhook = await lockWebhook(tx, { clientId, id });
      if (webhook === undefined) throw new AppError('not_found');
      const changed = await updateWebhook(tx, id, {
        ...(url === undefined ? {} : { url, pausedUntil: null }),
        // The failures of an address say nothing about the next one.
        ...(url === undefined || url === webhook.url ? {} : { failingSince: null }),
        ...(types === undefined ? {} : { types: storedTypes(types) }),
        ...(state === 'active' ? { ...ENABLED, pausedUntil: null } : {}),
        ...(state === 'disabled' && webhook.state === 'active' ? disabledFor('client') : {}),
        ...(secret === null ? {} : rotated(deps, { clientId, id }, webhook.secret, secret)),
      });
      if (state === 'disabled') await failWaiting(tx, { clientId, webhookId: id }, WEBHOOK_DISABLED);
      const liftsPause = webhook.pausedUntil !== null && (url !== undefined || state === 'active');
      // Its workflow sleeps until the end of the pause.
      if (liftsPause) await addOutbox(tx, deps.workflows.deliver({ id, clientId }, null));
      await recordChanges(tx, changes, source);
      return changed;
    });
    return { ...webhookView(row), ...(secret === null ? {} : { secret }) };
  };

const rotated = (
  { cipher, now }: Pick<EventDeps, 'cipher' | 'now'>,
  owner: { readonly clientId: string; readonly id: string },
  previous: string,
  secret: string,
) => ({
  secret: sealSecret(cipher, owner, secret),
  previousSecret: previous,
  previousSecretUntil: new Date(now().getTime() + SECRET_OVERLAP_MS),
});

async function recordChanges(
  tx: Tx,
  { clientId, id, url, types, state, rotateSecret = false }: WebhookChanges,
  source: RequestSource,
): Promise<void> {
  const details = {
    ...(url === undefined ? {} : { url: true }),
    ...(types === undefined ? {} : { types: types.length }),
    ...(state === undefined ? {} : { state }),
  };
  const entry = { clientId, source, target: id };
  if (Object.keys(details).length > 0) await addRequestAudit(tx, { ...entry, action: 'webhook_changed', details });
  if (rotateSecret) await addRequestAudit(tx, { ...entry, action: 'webhook_secret_rotated' });
}
