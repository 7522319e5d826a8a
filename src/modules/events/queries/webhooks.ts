import { type Insertable, sql, type Updateable } from 'kysely';
import type { DisabledReason } from '../../../kernel/event-types.ts';
import { NOW, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

interface WebhookKey {
  readonly clientId: string;
  readonly id: string;
}

const VIEW_COLUMNS = [
  'id',
  'url',
  'types',
  'state',
  'disabledReason',
  'disabledAt',
  'failingSince',
  'previousSecretUntil',
  'createdAt',
] as const;

export const LIST_WEBHOOKS = prepared('list_webhooks', (queries, { clientId }: { readonly clientId: string }) =>
  queries
    .selectFrom('webhooks')
    .select(VIEW_COLUMNS)
    .where('clientId', '=', clientId)
    .orderBy('createdAt')
    .orderBy('id'),
);

export type WebhookRow = ReturnType<(typeof LIST_WEBHOOKS)['rowsOf']>[number];

export const READ_WEBHOOK = prepared('read_webhook', (queries, { clientId, id }: WebhookKey) =>
  queries.selectFrom('webhooks').select(VIEW_COLUMNS).where('clientId', '=', clientId).where('id', '=', id),
);

/** What a delivery needs of its webhook. */
export const RECEIVER = prepared('webhook_receiver', (queries, { clientId, id }: WebhookKey) =>
  queries
    .selectFrom('webhooks')
    .select(['id', 'url', 'state', 'failingSince', 'secret', 'previousSecret', 'previousSecretUntil'])
    .select(sql<number>`greatest(0, extract(epoch from paused_until - quita_now()) * 1000)::int`.as('pausedForMs'))
    .where('clientId', '=', clientId)
    .where('id', '=', id),
);

export type Receiver = ReturnType<(typeof RECEIVER)['rowsOf']>[number];

/** Locks the webhook; returns undefined when the client has none with this id. */
export const lockWebhook = (tx: Tx, { clientId, id }: WebhookKey) =>
  queriesIn(tx)
    .selectFrom('webhooks')
    .select([...VIEW_COLUMNS, 'pausedUntil', 'secret', 'previousSecret'])
    .where('clientId', '=', clientId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Locks the webhooks that get events, in one order. */
export const lockActiveWebhooks = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .selectFrom('webhooks')
    .select('id')
    .where('clientId', '=', clientId)
    .where('state', '=', 'active')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

export async function countWebhooks(tx: Tx, clientId: string): Promise<number> {
  const { many } = await queriesIn(tx)
    .selectFrom('webhooks')
    .select((row) => row.fn.countAll<number>().as('many'))
    .where('clientId', '=', clientId)
    .executeTakeFirstOrThrow();
  return many;
}

type NewWebhook = Pick<Insertable<Tables['webhooks']>, 'id' | 'clientId' | 'url' | 'types' | 'secret'>;

export const insertWebhook = (tx: Tx, webhook: NewWebhook) =>
  queriesIn(tx).insertInto('webhooks').values(webhook).returning(VIEW_COLUMNS).executeTakeFirstOrThrow();

type WebhookChanges = Omit<Updateable<Tables['webhooks']>, 'disabledAt'> & {
  readonly disabledAt?: typeof NOW | null;
};

export const updateWebhook = (tx: Tx, id: string, changes: WebhookChanges) =>
  queriesIn(tx)
    .updateTable('webhooks')
    .set({ ...changes, updatedAt: NOW })
    .where('id', '=', id)
    .returning(VIEW_COLUMNS)
    .executeTakeFirstOrThrow();

export const ENABLED = { state: 'active', disabledReason: null, disabledAt: null, failingSince: null } as const;
export const disabledFor = (reason: DisabledReason) =>
  ({ state: 'disabled', disabledReason: reason, disabledAt: NOW, pausedUntil: null }) as const;

export const deleteWebhook = (tx: Tx, { clientId, id }: WebhookKey) =>
  queriesIn(tx).deleteFrom('webhooks').where('clientId', '=', clientId).where('id', '=', id).execute();

/** Stores values under the newest key, unless others were stored since they were read. */
export const RESEAL_WEBHOOK = prepared(
  'webhook_reseal',
  (
    queries,
    params: WebhookKey & { readonly secret: string; readonly resealed: string; readonly previous: string | null },
  ) =>
    queries
      .updateTable('webhooks')
      .set({ secret: params.resealed, previousSecret: params.previous })
      .where('clientId', '=', params.clientId)
      .where('id', '=', params.id)
      .where('secret', '=', params.secret),
);
