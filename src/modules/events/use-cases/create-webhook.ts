import { AppError } from '../../../kernel/errors.ts';
import type { EventType } from '../../../kernel/event-types.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { lockForCaller, type MemberOrApiKey } from '../../accounts/use-cases/lock-for-owner.ts';
import { countWebhooks, insertWebhook, lockWebhook } from '../queries/webhooks.ts';
import type { EventDeps } from './deps.ts';
import { newWebhookSecret, openSecret, sealSecret } from './webhook-secrets.ts';
import { requireGoodUrl, storedTypes, type WebhookView, webhookView } from './webhook-view.ts';

/** Each event is stored once for each webhook, so their number is limited. */
export const MAX_WEBHOOKS = 10;

export type NewWebhookRequest = MemberOrApiKey & {
  /** The same id in every attempt at one call. */
  readonly id: string;
  readonly url: string;
  readonly types?: readonly EventType[] | undefined;
  readonly source: RequestSource;
};

/** Creates a webhook, and returns the secret that signs what it gets. */
export const createWebhook =
  (deps: Pick<EventDeps, 'db' | 'sender' | 'cipher'>) =>
  async (request: NewWebhookRequest): Promise<WebhookView & { secret: string }> => {
    const { clientId, id, url, types, source } = request;
    await requireGoodUrl(deps, url);
    return deps.db.tenant(clientId).transactional(async (tx) => {
      // Two calls at once must not both find that one more is allowed.
      await lockForCaller(tx, request, 'manage');
      const existing = await lockWebhook(tx, { clientId, id });
      if (existing !== undefined) {
        // An earlier attempt at the same call has stored it.
        return { ...webhookView(existing), secret: openSecret(deps.cipher, { clientId, id }, existing.secret) };
      }
      if ((await countWebhooks(tx, clientId)) >= MAX_WEBHOOKS) throw tooMany();
      const secret = newWebhookSecret();
      const sealed = sealSecret(deps.cipher, { clientId, id }, secret);
      const created = await insertWebhook(tx, { id, clientId, url, types: storedTypes(types), secret: sealed });
      await addRequestAudit(tx, { clientId, source, action: 'webhook_created', target: id });
      return { ...webhookView(created), secret };
    });
  };

const tooMany = (): AppError =>
  new AppError('validation_failed', {
    errors: [{ pointer: '', code: 'too_many_webhooks', message: `A client has at most ${MAX_WEBHOOKS} webhooks` }],
  });
