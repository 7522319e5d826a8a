import { AppError } from '../../../kernel/errors.ts';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import type { SharedDeps } from '../../deps.ts';
import { MessagingError } from '../ports/messaging-channel.ts';
import { STORED_TEMPLATES } from '../queries/channel-templates.ts';
import { type ShownTemplateState, shownTemplateState } from '../rules/template-states.ts';
import type { MessagingDeps } from './deps.ts';
import { approvingOf, productTemplates, templatesOfSender } from './product-templates.ts';
import { realSendersOf } from './senders-of.ts';

export interface TemplateView {
  readonly channel: RealChannel;
  readonly language: 'pt_BR';
  readonly name: string;
  readonly state: ShownTemplateState;
  /** Why the channel refuses it, in its words; null without a refusal. */
  readonly reason: string | null;
  /** From when on the channel takes it for advertising; null when it takes it for none. */
  readonly marketingFrom: string | null;
}

type Deps = Pick<SharedDeps, 'db' | 'now'> & Pick<MessagingDeps, 'sendersOf'>;

/** Returns what the channels last said about each template of the product. One that was never pushed is `missing`. */
export const readOwnTemplates =
  (deps: Deps) =>
  async (clientId: string): Promise<TemplateView[]> => {
    const senders = await deps.db.tenant(clientId).transactional((tx) => realSendersOf(tx, deps, clientId));
    const views: TemplateView[] = [];
    for (const sender of senders) {
      const approving = approvingOf(sender);
      if (approving === null) continue;
      const key = { clientId, channel: sender.name, accountId: approving.accountId };
      const stored = await deps.db.readPrepared({ clientId }, STORED_TEMPLATES, key);
      for (const { name, language } of await templatesOfSender(deps, clientId, sender)) {
        const known = stored.find((one) => one.name === name);
        const { state = 'missing', reason = null, marketingFrom = null } = known ?? {};
        views.push({
          channel: sender.name,
          language,
          name,
          state: shownTemplateState({ state, marketingFrom }, deps.now()),
          reason,
          marketingFrom: marketingFrom?.toISOString() ?? null,
        });
      }
    }
    return views;
  };

/** Creates the templates where they are missing, asks for the states of all, and returns them. */
export const pushOwnTemplates =
  (deps: Deps) =>
  async (clientId: string, source: RequestSource): Promise<TemplateView[]> => {
    await deps.db
      .tenant(clientId)
      .transactional((tx) => addRequestAudit(tx, { clientId, source, action: 'channel_templates_pushed' }));
    try {
      await productTemplates(deps)(clientId, { push: true });
    } catch (error) {
      throw error instanceof MessagingError ? refusalOf(error) : error;
    }
    return readOwnTemplates(deps)(clientId);
  };

/** Only WhatsApp approves templates. */
const refusalOf = ({ kind, retryAfterSeconds }: MessagingError): AppError =>
  kind === 'retryable' || kind === 'unknown_outcome'
    ? new AppError('unavailable', { retryAfterSeconds: retryAfterSeconds ?? 30 })
    : new AppError('channel_not_ready', { missing: [{ channel: 'whatsapp', template: null, reason: kind }] });
