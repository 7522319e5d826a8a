import { sql } from 'kysely';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { NOW, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { TemplateState } from '../rules/template-states.ts';

/** Returns the clients whose senders or accounts a channel's request names, by the routine `clients_of_senders`. */
export const CLIENTS_OF_SENDERS = prepared(
  'clients_of_senders',
  (queries, { channel, names }: { readonly channel: string; readonly names: readonly string[] }) =>
    queries
      .selectFrom(sql<{ client: string }>`clients_of_senders(${channel}, ${names})`.as('clients'))
      .select('clients.client as clientId'),
);

/** Returns all senders of a client on a channel, also replaced ones, because these still receive. */
export const sendersOnChannel = (tx: Tx, channel: RealChannel) =>
  queriesIn(tx)
    .selectFrom('channel_senders')
    .select(['senderId', 'accountId', 'state', 'reason', 'replacedAt'])
    .where('channel', '=', channel)
    .orderBy('senderId')
    .execute();

export type SenderOnChannel = Awaited<ReturnType<typeof sendersOnChannel>>[number];

interface SenderNews {
  readonly quality?: NonNullable<Tables['channel_senders']['quality']>;
  readonly peoplePerDay?: number;
  /** Null: something has changed that only a check of the credentials tells. */
  readonly checkedAt?: null;
}

export const setSenderNews = (
  tx: Tx,
  { channel, senderId }: { readonly channel: RealChannel; readonly senderId: string },
  news: SenderNews,
) =>
  queriesIn(tx)
    .updateTable('channel_senders')
    .set({ ...news, updatedAt: NOW })
    .where('channel', '=', channel)
    .where('senderId', '=', senderId)
    .execute();

/** Stores what a channel says of a template that is known here. One that was never asked about has no row. */
export const setTemplateState = (
  tx: Tx,
  template: { readonly channel: RealChannel; readonly accountId: string; readonly name: string },
  to: { readonly state: TemplateState; readonly reason: string | null },
) =>
  queriesIn(tx)
    .updateTable('channel_templates')
    .set({ ...to, updatedAt: NOW })
    .where('channel', '=', template.channel)
    .where('accountId', '=', template.accountId)
    .where('name', '=', template.name)
    .execute();
