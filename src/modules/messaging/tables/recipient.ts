import { defineEntity, p } from '@mikro-orm/postgresql';
import { REAL_CHANNELS, type RealChannel } from '../../../kernel/messaging-channels.ts';
import { createdAt, id, instant, oneOf, updatedAt } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from '../../debts/tables/debt.ts';

/**
 * What a client has learned about one address of a person on one channel: whether messages arrive there, when the person
 * last wrote, and when the next message may go there. Person and address are HMACs.
 */
export const Recipient = defineEntity({
  name: 'Recipient',
  tableName: 'recipients',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    channel: p.text().$type<RealChannel>(),
    personKey: p.text(),
    /** The key of the phone, also on a channel that reaches e-mail addresses: the debtor's phone in use stands for it. */
    phoneKey: p.text(),
    /** The debt that was last written about, by which a message of a person without a phone number is understood. */
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id'),
    /** The channel's id of the person. */
    channelUserId: p.text().nullable(),
    /** When the channel said that this person uses another number now: then the id reaches the person, the phone does not. */
    movedAt: instant().nullable(),
    /** The key of that other number, where the channel told it: who asked for silence at the phone has asked for it there. */
    movedToKey: p.text().nullable(),
    /** When the channel last said that a message arrived or was read, or the person wrote. */
    reachedAt: instant().nullable(),
    /** When the channel last said that it cannot reach the person there. */
    unreachableAt: instant().nullable(),
    /** When the person last wrote, by real time. */
    wroteAt: instant().nullable(),
    /** The next message is sent no earlier, because channels limit messages to one person. */
    freeFrom: instant().nullable(),
    /** When the person was last counted among those whom the account may reach in 24 hours. */
    countedAt: instant().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'recipients_address', properties: ['clientId', 'personKey', 'phoneKey', 'channel'] }],
  indexes: [
    {
      name: 'recipients_user',
      properties: ['channelUserId', 'clientId', 'channel'],
      where: 'channel_user_id is not null',
    },
    { name: 'recipients_debt', properties: ['debtId'] },
    { name: 'recipients_moved', properties: ['movedToKey', 'clientId'], where: 'moved_to_key is not null' },
  ],
  checks: [{ name: 'recipients_channel_known', expression: oneOf('channel', REAL_CHANNELS) }],
  ...tenantTable(),
});
