import { sql } from 'kysely';
import type { DeliveryState } from '../../../kernel/event-types.ts';
import { anyOf, NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { EVENT_COLUMNS, INVOICE_OF_EVENT, NUMBER_OF_EVENT } from './events.ts';

interface WebhookKey {
  readonly clientId: string;
  readonly webhookId: string;
}

const VIEW_COLUMNS = [
  'webhook_deliveries.id',
  'webhook_deliveries.state',
  'webhook_deliveries.attempts',
  'webhook_deliveries.nextAttemptAt',
  'webhook_deliveries.lastAttemptAt',
  'webhook_deliveries.lastStatus',
  'webhook_deliveries.lastError',
  'webhook_deliveries.lastResponse',
  'webhook_deliveries.deliveredAt',
  'webhook_deliveries.createdAt',
  'webhook_deliveries.eventSeq',
  'events.id as eventId',
  'events.type',
] as const;

/** Lists the deliveries of a webhook, those of the newest events first. */
const deliveries = (byState: boolean) =>
  prepared(
    `list_deliveries${byState ? '_state' : ''}`,
    (
      queries,
      params: WebhookKey & { readonly beforeSeq: number; readonly state?: DeliveryState; readonly limit: number },
    ) =>
      queries
        .selectFrom('webhook_deliveries')
        .innerJoin('events', 'events.seq', 'webhook_deliveries.eventSeq')
        .select(VIEW_COLUMNS)
        .where('webhook_deliveries.clientId', '=', params.clientId)
        .where('webhook_deliveries.webhookId', '=', params.webhookId)
        .where('webhook_deliveries.eventSeq', '<', params.beforeSeq)
        .$if(byState, (query) => query.where('webhook_deliveries.state', '=', sql<DeliveryState>`${params.state}`))
        .orderBy('webhook_deliveries.eventSeq', 'desc')
        .limit(params.limit),
  );

const LIST_DELIVERIES = deliveries(false);
const LIST_DELIVERIES_STATE = deliveries(true);
export const deliveryListWith = (state: DeliveryState | undefined) =>
  state === undefined ? LIST_DELIVERIES : LIST_DELIVERIES_STATE;

export type DeliveryRow = ReturnType<(typeof LIST_DELIVERIES)['rowsOf']>[number];

export const readDelivery = (tx: Tx, { clientId, webhookId, id }: WebhookKey & { readonly id: string }) =>
  queriesIn(tx)
    .selectFrom('webhook_deliveries')
    .innerJoin('events', 'events.seq', 'webhook_deliveries.eventSeq')
    .select(VIEW_COLUMNS)
    .where('webhook_deliveries.clientId', '=', clientId)
    .where('webhook_deliveries.webhookId', '=', webhookId)
    .where('webhook_deliveries.id', '=', id)
    .executeTakeFirst();

export const insertManualDelivery = (
  tx: Tx,
  delivery: WebhookKey & { readonly id: string; readonly eventSeq: number },
) =>
  queriesIn(tx)
    .insertInto('webhook_deliveries')
    .values({ ...delivery, nextAttemptAt: NOW, manual: true })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();

/** Makes a delivery due now, with all its attempts before it, because the client asked for it. */
export const redeliver = (tx: Tx, id: string) =>
  queriesIn(tx)
    .updateTable('webhook_deliveries')
    .set({ state: 'pending', attempts: 0, nextAttemptAt: NOW, manual: true, deliveredAt: null })
    .where('id', '=', id)
    .execute();

/**
 * Takes due deliveries: no other attempt posts them while this one holds them. When its process dies, they are due again
 * at the end of that time.
 */
export const TAKE_DUE_DELIVERIES = prepared(
  'webhook_deliveries_take',
  (
    queries,
    params: WebhookKey & { readonly limit: number; readonly heldSeconds: number; readonly onlyManual: boolean },
  ) =>
    queries
      .with(
        (cte) => cte('due').materialized(),
        (query) =>
          query
            .selectFrom('webhook_deliveries')
            .select(['id', 'eventSeq'])
            .where('clientId', '=', params.clientId)
            .where('webhookId', '=', params.webhookId)
            .where('state', '=', 'pending')
            .where('nextAttemptAt', '<=', sql<Date>`quita_now() + interval '1 millisecond'`)
            .where(({ eb, or }) =>
              or([eb('manual', '=', true), eb(sql<boolean>`${params.onlyManual}::boolean`, '=', false)]),
            )
            .orderBy('nextAttemptAt')
            .orderBy('eventSeq')
            .limit(params.limit)
            .forUpdate()
            .skipLocked(),
      )
      .updateTable('webhook_deliveries')
      .from('due')
      .innerJoin('events', 'events.seq', 'due.eventSeq')
      .set({ nextAttemptAt: sql<Date>`quita_now() + make_interval(secs => ${params.heldSeconds})` })
      .whereRef('webhook_deliveries.id', '=', 'due.id')
      .returning(['webhook_deliveries.id as deliveryId', 'webhook_deliveries.attempts', 'webhook_deliveries.manual'])
      .returning('webhook_deliveries.nextAttemptAt as heldUntil')
      .returning([...EVENT_COLUMNS, INVOICE_OF_EVENT, NUMBER_OF_EVENT]),
);

export type DueDelivery = ReturnType<(typeof TAKE_DUE_DELIVERIES)['rowsOf']>[number];

export interface AttemptResult {
  readonly state: DeliveryState;
  readonly status: number | null;
  readonly error: string | null;
  readonly response: string | null;
  /** The wait before the next attempt; null when there is none. */
  readonly waitMs: number | null;
}

/** Stores the result of an attempt, unless the client has asked for the delivery again meanwhile. */
export async function storeAttempt(
  tx: Tx,
  { deliveryId, heldUntil }: Pick<DueDelivery, 'deliveryId' | 'heldUntil'>,
  { state, status, error, response, waitMs }: AttemptResult,
): Promise<void> {
  await queriesIn(tx)
    .updateTable('webhook_deliveries')
    .set({
      state,
      attempts: sql<number>`attempts + 1`,
      nextAttemptAt: waitMs === null ? null : sql<Date>`quita_now() + make_interval(secs => ${waitMs / 1_000})`,
      lastAttemptAt: NOW,
      lastStatus: status,
      lastError: error,
      lastResponse: response,
      deliveredAt: state === 'delivered' ? NOW : null,
    })
    .where('id', '=', deliveryId)
    .where('nextAttemptAt', '=', heldUntil)
    .execute();
}

/** Gives back what was taken and not posted. */
export const releaseDeliveries = (tx: Tx, taken: readonly DueDelivery[]) =>
  queriesIn(tx)
    .updateTable('webhook_deliveries')
    .set({ nextAttemptAt: NOW })
    .where(
      'id',
      '=',
      anyOf(
        taken.map(({ deliveryId }) => deliveryId),
        'uuid',
      ),
    )
    .where('state', '=', 'pending')
    .execute();

/** How long until the next delivery of a webhook is due; null when none waits. A disabled one sends manual ones only. */
export const NEXT_DUE = prepared(
  'webhook_deliveries_next',
  (queries, params: WebhookKey & { readonly onlyManual: boolean }) =>
    queries
      .selectFrom('webhook_deliveries')
      .select(
        sql<number | null>`ceil(extract(epoch from min(next_attempt_at) - quita_now()) * 1000)::float8`.as('inMs'),
      )
      .where('clientId', '=', params.clientId)
      .where('webhookId', '=', params.webhookId)
      .where('state', '=', 'pending')
      .where(({ eb, or }) =>
        or([eb('manual', '=', true), eb(sql<boolean>`${params.onlyManual}::boolean`, '=', false)]),
      ),
);

export const deleteDeliveries = (tx: Tx, { clientId, webhookId }: WebhookKey) =>
  queriesIn(tx)
    .deleteFrom('webhook_deliveries')
    .where('clientId', '=', clientId)
    .where('webhookId', '=', webhookId)
    .execute();

/** Ends what waits for a webhook that was disabled. The client may ask for each delivery again. */
export const failWaiting = (tx: Tx, { clientId, webhookId }: WebhookKey, error: string) =>
  queriesIn(tx)
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', nextAttemptAt: null, lastError: error })
    .where('clientId', '=', clientId)
    .where('webhookId', '=', webhookId)
    .where('state', '=', 'pending')
    .where('manual', '=', false)
    .execute();
