import { defineEntity, p } from '@mikro-orm/postgresql';
import { REAL_CHANNELS, type RealChannel } from '../../../kernel/messaging-channels.ts';
import { createdAt, id, instant, oneOf, updatedAt } from '../../../platform/database/tables/columns.ts';
import { functionsPolicy, OWNER_INSERT, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { SENDER_QUALITIES } from '../rules/sender-facts.ts';

const tenancy = tenantTable();

export const SENDER_STATES = ['ready', 'paused', 'failing'] as const;
export type SenderState = (typeof SENDER_STATES)[number];

/**
 * A sender of a client on a channel: WhatsApp's number, the number or word of an SMS, the address of e-mails. Inbound
 * messages name it, and so find the client. One sender for each channel is connected; earlier ones still receive.
 */
export const ChannelSender = defineEntity({
  name: 'ChannelSender',
  tableName: 'channel_senders',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    channel: p.text().$type<RealChannel>(),
    /** As the channel names it in what it posts. */
    senderId: p.text(),
    /** The account at the channel, which owns templates and limits; null where the channel has none. */
    accountId: p.text().nullable(),
    /** What debtors see. */
    shownAs: p.text(),
    /** `paused`: it sends again by itself after `pausedUntil`. `failing`: somebody has to act first. */
    state: p.text().$type<SenderState>().default('ready'),
    /** The kind of error and the channel's code, such as `unauthorized 190`. */
    reason: p.text().nullable(),
    pausedUntil: instant().nullable(),
    quality: p.text().$type<(typeof SENDER_QUALITIES)[number]>().nullable(),
    /** How many people the account may reach in 24 hours; null without a limit. */
    peoplePerDay: p.integer().nullable(),
    /** Whether messages of the sender may carry a Pix code: its owner says so, until the channel refuses one. */
    pixCodes: p.boolean().default(false),
    /** Why the channel refused the last code, such as `unauthorized 10`; null while none was refused. */
    pixRefusal: p.text().nullable(),
    /** When the channel last accepted the credentials. */
    checkedAt: instant().nullable(),
    /** The month, by its first day, in which the client was told that the free messages of the number end. */
    freeWarnedFor: p.date().nullable(),
    /** Since when nothing is heard of messages that cost, although the channel accepts them. */
    paymentSuspectedAt: instant().nullable(),
    /** When another sender was connected in its place. */
    replacedAt: instant().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'channel_senders_sender', properties: ['clientId', 'channel', 'senderId'] }],
  indexes: [
    {
      name: 'channel_senders_connected',
      expression:
        'create unique index "channel_senders_connected" on "channel_senders" ("client_id", "channel") where replaced_at is null',
    },
    // By which "É verdade?" finds a sender: an address or a word in lower case, or the digits of a number.
    {
      name: 'channel_senders_spelt',
      expression: `create index "channel_senders_spelt" on "channel_senders" ((case when "shown_as" ~ '[A-Za-z@]' then lower("shown_as") else regexp_replace("shown_as", '[^0-9]', '', 'g') end)) where replaced_at is null`,
    },
    { name: 'channel_senders_named', properties: ['senderId', 'channel'] },
    { name: 'channel_senders_account', properties: ['accountId', 'channel'], where: 'account_id is not null' },
  ],
  checks: [
    { name: 'channel_senders_channel_known', expression: oneOf('channel', REAL_CHANNELS) },
    { name: 'channel_senders_state_known', expression: oneOf('state', SENDER_STATES) },
    { name: 'channel_senders_quality_known', expression: oneOf('quality', SENDER_QUALITIES) },
  ],
  ...tenancy,
  policies: [...tenancy.policies, OWNER_INSERT, functionsPolicy('select')],
});
