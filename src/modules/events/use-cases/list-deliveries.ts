import type { DeliveryState } from '../../../kernel/event-types.ts';
import { type Page, pageOf } from '../../../platform/shared/cursor.ts';
import { deliveryListWith } from '../queries/webhook-deliveries.ts';
import type { EventDeps } from './deps.ts';
import { readWebhook } from './read-webhooks.ts';
import { type DeliveryView, deliveryView } from './webhook-view.ts';

const position = ([seq]: readonly unknown[]): number | null => (Number.isSafeInteger(seq) ? (seq as number) : null);

/** Lists what was or will be posted to a webhook, the newest events first. */
export const listDeliveries =
  (deps: Pick<EventDeps, 'db' | 'cursors'>) =>
  async (input: {
    readonly clientId: string;
    readonly webhookId: string;
    readonly state?: DeliveryState | undefined;
    readonly limit: number;
    readonly cursor?: string | undefined;
  }): Promise<Page<DeliveryView>> => {
    const { clientId, webhookId, state, limit, cursor } = input;
    const beforeSeq = deps.cursors.read('deliveries', clientId, cursor, position) ?? Number.MAX_SAFE_INTEGER;
    await readWebhook(deps)({ clientId, id: webhookId });
    const page = { clientId, webhookId, beforeSeq, limit: limit + 1 };
    const rows = await deps.db.readPrepared(
      { clientId },
      deliveryListWith(state),
      state === undefined ? page : { ...page, state },
    );
    return pageOf(rows, limit, deliveryView, (last) => deps.cursors.write('deliveries', clientId, last.eventSeq));
  };
