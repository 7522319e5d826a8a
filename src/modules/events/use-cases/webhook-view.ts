import { AppError } from '../../../kernel/errors.ts';
import {
  type DeliveryState,
  type DisabledReason,
  EVENT_TYPES,
  type EventType,
  type WebhookState,
} from '../../../kernel/event-types.ts';
import type { DeliveryRow } from '../queries/webhook-deliveries.ts';
import type { WebhookRow } from '../queries/webhooks.ts';
import type { EventDeps } from './deps.ts';

export interface WebhookView {
  readonly id: string;
  readonly url: string;
  readonly types: EventType[];
  readonly state: WebhookState;
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: string | null;
  readonly failingSince: string | null;
  readonly previousSecretUntil: string | null;
  readonly createdAt: string;
}

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

export const webhookView = (row: WebhookRow): WebhookView => ({
  id: row.id,
  url: row.url,
  types: [...(row.types ?? EVENT_TYPES)],
  state: row.state,
  disabledReason: row.disabledReason,
  disabledAt: iso(row.disabledAt),
  failingSince: iso(row.failingSince),
  previousSecretUntil: iso(row.previousSecretUntil),
  createdAt: row.createdAt.toISOString(),
});

export interface DeliveryView {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly lastAttemptAt: string | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly lastResponse: string | null;
  readonly deliveredAt: string | null;
  readonly createdAt: string;
}

export const deliveryView = ({ eventSeq: _, ...row }: DeliveryRow): DeliveryView => ({
  ...row,
  nextAttemptAt: iso(row.nextAttemptAt),
  lastAttemptAt: iso(row.lastAttemptAt),
  deliveredAt: iso(row.deliveredAt),
  createdAt: row.createdAt.toISOString(),
});

/** No types, or an empty list, means every type. */
export const storedTypes = (types: readonly EventType[] | undefined): EventType[] | null =>
  types === undefined || types.length === 0 ? null : [...new Set(types)];

/** Refuses an address that is private, or that is not one of a receiver. */
export async function requireGoodUrl({ sender }: Pick<EventDeps, 'sender'>, url: string): Promise<void> {
  const problem = await sender.check(url);
  if (problem === null) return;
  throw new AppError('validation_failed', { errors: [{ pointer: '/url', code: 'url_invalid', message: problem }] });
}
