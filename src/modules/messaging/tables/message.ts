import { defineEntity, p } from '@mikro-orm/postgresql';
import { MESSAGE_PURPOSES, type MessagePurpose } from '../../../kernel/message-purposes.ts';
import type { ShownDocument } from '../../../kernel/ports/outgoing.ts';
import { createdAt, id, instant, oneOf, writtenBy } from '../../../platform/database/tables/columns.ts';
import { DELIVERY_CHAINED } from '../../../platform/database/tables/event-triggers.ts';
import { functionsPolicy, retentionPolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import type { Intent } from '../../debts/rules/intents.ts';
import { Debt } from '../../debts/tables/debt.ts';
import { MESSAGE_DELIVERIES, type MessageDelivery } from '../rules/delivery-states.ts';

const tenancy = tenantTable();

/** A message on a channel, in either direction. An outgoing message is stored before it is sent. */
export const Message = defineEntity({
  name: 'Message',
  tableName: 'messages',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id'),
    /** True when a message failed because of its sender, which says nothing about the recipient. */
    senderFailed: p.boolean().default(false),
    /** The other debts of the person that an outgoing message speaks of. */
    alsoAbout: p.array<string>().columnType('uuid[]').default([]),
    direction: p.text().$type<'in' | 'out'>(),
    channel: p.text(),
    /**
     * The debtor's phone that the message came from or went to, in E.164 format. Null where the debt has never had
     * another phone than the one in use, and for an erased debtor.
     */
    phone: p.text().nullable(),
    purpose: p.text().$type<MessagePurpose>().nullable(),
    text: p.text(),
    /** True once the hash of an outgoing text is in `sent_texts`; those of before get theirs afterwards. */
    hashKept: p.boolean().default(false),
    /** The version of the client's own wording that the text has. */
    textVersion: p.integer().nullable(),
    document: p.json<ShownDocument>().nullable(),
    /** The charge whose Pix code came with the message, to be copied there; the text does not contain it. */
    chargeId: p.uuid().nullable(),
    /** True for an outgoing message that a person at the client has written. */
    staff: p.boolean().default(false),
    memberId: writtenBy(),
    delivery: p.text().$type<MessageDelivery>().nullable(),
    /**
     * The channel's id. Delivery reports of an outgoing message contain it; it also shows that an incoming one is
     * repeated.
     */
    channelMessageId: p.text().nullable(),
    /** The key of an outgoing message, by which one attempt is booked once, however often its activity is retried. */
    attemptKey: p.text().nullable(),
    /** The sender of the client that carried it; null in the sandbox. */
    senderId: p.text().nullable(),
    /** The channels that could not deliver an outgoing message before the one that carried it. */
    triedChannels: p.array<string>().columnType('text[]').default([]),
    /** Why an outgoing message was not sent or not delivered: the kind of error and the channel's code. */
    failure: p.text().nullable(),
    /** True for a message that the channel accepted and then could not deliver, until its contact is made again. */
    isUndoDue: p.boolean().default(false),
    /** The intent of the button that the debtor pressed. */
    button: p.text().$type<Intent>().nullable(),
    /** How long an incoming text was before it was cut. */
    cutFrom: p.integer().nullable(),
    intent: p.text().nullable(),
    /** When what an incoming message says took effect. Its answer may be tried again later. */
    appliedAt: instant().nullable(),
    /** When an incoming message was understood, applied and answered, or left without an answer. */
    handledAt: instant().nullable(),
    /** True for an incoming message that a machine wrote: it changes nothing and is not answered. */
    automatic: p.boolean().default(false),
    /** True for an incoming message that was answered: the same text is not answered again. */
    answered: p.boolean().default(false),
    /** The moment by the debt's own clock. */
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
    { name: 'messages_undo_due', properties: ['debtId'], where: 'is_undo_due' },
    { name: 'messages_of_staff_open', properties: ['debtId'], where: "staff and delivery in ('waiting', 'booked')" },
    { name: 'messages_hash_due', properties: ['createdAt'], where: "direction = 'out' and not hash_kept" },
  ],
  checks: [
    { name: 'messages_direction_known', expression: oneOf('direction', ['in', 'out']) },
    { name: 'messages_purpose_known', expression: oneOf('purpose', MESSAGE_PURPOSES) },
    { name: 'messages_delivery_known', expression: oneOf('delivery', MESSAGE_DELIVERIES) },
  ],
  triggers: [DELIVERY_CHAINED],
  ...tenancy,
  policies: [...tenancy.policies, functionsPolicy('select'), retentionPolicy('messages')],
});
