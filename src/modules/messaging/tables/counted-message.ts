import { defineEntity, p } from '@mikro-orm/postgresql';
import { REAL_CHANNELS, type RealChannel } from '../../../kernel/messaging-channels.ts';
import { instant, oneOf } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { COUNTED_KINDS, type CountedKind } from '../rules/counted-kinds.ts';

/**
 * What a channel charges for: one narrow row for each outgoing message that WhatsApp or an SMS provider has accepted.
 * Counters, costs and the watch of deliveries are read from these rows, so that no number has a row that all of its
 * messages would have to update. A row names nobody, and goes with its message; that of a request for a phone stays,
 * because the month is counted longer than the request is kept.
 */
export const CountedMessage = defineEntity({
  name: 'CountedMessage',
  tableName: 'counted_messages',
  properties: {
    /** The id of a message, or of a request for a phone. */
    messageId: p.uuid().primary(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** Null for a request for a phone, which belongs to no campaign. */
    campaignId: p.uuid().nullable(),
    channel: p.text().$type<RealChannel>(),
    senderId: p.text(),
    kind: p.text().$type<CountedKind>(),
    /** The segments of an SMS. */
    units: p.smallint().default(1),
    /** True for a message that the channel says costs nothing, beside those that are free each month. */
    isFree: p.boolean().default(false),
    acceptedAt: instant(),
    /** When the channel first said anything about the message after it was accepted. */
    reportedAt: instant().nullable(),
    /** When the message was delivered, by the channel's own clock: from then on it costs. */
    deliveredAt: instant().nullable(),
  },
  indexes: [
    {
      name: 'counted_messages_client',
      expression:
        'create index "counted_messages_client" on "counted_messages" ("client_id", "sender_id", "delivered_at", "message_id") include ("kind", "is_free", "units", "channel")',
    },
    {
      name: 'counted_messages_campaign',
      expression:
        'create index "counted_messages_campaign" on "counted_messages" ("campaign_id") include ("sender_id", "delivered_at", "message_id", "kind", "is_free", "units", "channel")',
    },
    // The newest messages without a template, over all clients of a number: whether anything was heard of them.
    {
      name: 'counted_messages_newest',
      expression:
        'create index "counted_messages_newest" on "counted_messages" ("sender_id", "accepted_at") include ("reported_at") where kind = \'service\'',
    },
  ],
  checks: [
    { name: 'counted_messages_channel_known', expression: oneOf('channel', REAL_CHANNELS) },
    { name: 'counted_messages_kind_known', expression: oneOf('kind', COUNTED_KINDS) },
    { name: 'counted_messages_has_units', expression: 'units > 0' },
  ],
  ...tenantTable(),
});
