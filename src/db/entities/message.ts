import { defineEntity, p } from '@mikro-orm/postgresql';
import { Client } from './client.ts';
import { createdAt, id, instant, oneOf } from './columns.ts';
import { Debt } from './debt.ts';
import { tenantTable } from './tenant-table.ts';

export const MESSAGE_PURPOSES = ['collection', 'reply', 'receipt', 'opt_out_confirmation'] as const;
export type MessagePurpose = (typeof MESSAGE_PURPOSES)[number];

/** `booked`: decided and written down, the sending not yet confirmed; shown as `unknown` when it stays so. */
export const MESSAGE_DELIVERIES = ['booked', 'sent', 'delivered', 'read', 'failed', 'unknown'] as const;
export type MessageDelivery = (typeof MESSAGE_DELIVERIES)[number];

export interface MessageDocument {
  readonly filename: string;
  readonly url: string;
}

/** What was said on a channel, in both directions. An outgoing one is written before it is sent. */
export const Message = defineEntity({
  name: 'Message',
  tableName: 'messages',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id'),
    direction: p.text().$type<'in' | 'out'>(),
    channel: p.text(),
    purpose: p.text().$type<MessagePurpose>().nullable(),
    text: p.text(),
    document: p.json<MessageDocument>().nullable(),
    delivery: p.text().$type<MessageDelivery>().nullable(),
    /** The channel's own id: of an outgoing one its delivery reports carry it, of an incoming one it tells a repeat. */
    channelMessageId: p.text().nullable(),
    /** Of an outgoing one: the same attempt is booked once, however often its activity is tried. */
    attemptKey: p.text().nullable(),
    intent: p.text().nullable(),
    /** Of an incoming one: when it was understood and obeyed. */
    handledAt: instant().nullable(),
    /** By the debt's own clock. */
    at: instant(),
    createdAt: createdAt(),
  },
  uniques: [
    { name: 'messages_attempt_key', properties: ['clientId', 'attemptKey'] },
    { name: 'messages_channel_id', properties: ['clientId', 'channel', 'channelMessageId'] },
  ],
  indexes: [
    { name: 'messages_debt_at', properties: ['debtId', 'at'] },
    {
      name: 'messages_unhandled',
      properties: ['debtId', 'createdAt'],
      where: "direction = 'in' and handled_at is null",
    },
  ],
  checks: [
    { name: 'messages_direction_known', expression: oneOf('direction', ['in', 'out']) },
    { name: 'messages_purpose_known', expression: oneOf('purpose', MESSAGE_PURPOSES) },
    { name: 'messages_delivery_known', expression: oneOf('delivery', MESSAGE_DELIVERIES) },
  ],
  ...tenantTable(),
});
