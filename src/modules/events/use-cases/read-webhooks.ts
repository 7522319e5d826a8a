import { AppError } from '../../../kernel/errors.ts';
import { invalidCursor, type Page, pageOf, readCursor, writeCursor } from '../../../platform/shared/cursor.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { LIST_WEBHOOKS, READ_WEBHOOK } from '../queries/webhooks.ts';
import type { EventDeps } from './deps.ts';
import { type WebhookView, webhookView } from './webhook-view.ts';

const position = ([id]: readonly unknown[]): string | null => (isUuid(id) ? id : null);

/** Lists the webhooks of a client, the oldest first. There are so few that a page is cut from all of them. */
export const listWebhooks =
  ({ db }: Pick<EventDeps, 'db'>) =>
  async (input: { clientId: string; limit: number; cursor?: string | undefined }): Promise<Page<WebhookView>> => {
    const { clientId, limit, cursor } = input;
    const after = readCursor(cursor, position);
    const rows = await db.readPrepared({ clientId }, LIST_WEBHOOKS, { clientId });
    const begin = after === undefined ? 0 : rows.findIndex(({ id }) => id === after) + 1;
    if (after !== undefined && begin === 0) throw invalidCursor();
    return pageOf(rows.slice(begin, begin + limit + 1), limit, webhookView, ({ id }) => writeCursor(id));
  };

export const readWebhook =
  ({ db }: Pick<EventDeps, 'db'>) =>
  async ({ clientId, id }: { clientId: string; id: string }): Promise<WebhookView> => {
    const [row] = await db.readPrepared({ clientId }, READ_WEBHOOK, { clientId, id });
    if (row === undefined) throw new AppError('not_found');
    return webhookView(row);
  };
