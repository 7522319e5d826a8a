import { defineEntity, p } from '@mikro-orm/postgresql';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { UNMATCHED_MESSAGE_DAYS } from '../../../kernel/retention-periods.ts';
import { createdAt, id, instant, oneOf } from '../../../platform/database/tables/columns.ts';
import { purgePolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { MESSAGE_DELIVERIES, type MessageDelivery } from '../rules/delivery-states.ts';

const tenancy = tenantTable();

/**
 * Somebody whom the channel names by an id alone, and who has no debt with the client, is asked once for the phone. The
 * row is there before the message is sent, and is kept as long as what that person wrote (`UnmatchedMessage`).
 */
export const PhoneRequest = defineEntity({
  name: 'PhoneRequest',
  tableName: 'phone_requests',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    channel: p.text().$type<RealChannel>(),
    senderId: p.text(),
    /** The HMAC of the channel's id of the person. */
    personKey: p.text(),
    /** That id, as `src/kernel/ports/credential-cipher.ts` has sealed it. */
    sealed: p.text(),
    /** Not sent later: the channel takes it for a time after the person has written. */
    askUntil: instant(),
    /** When it is the turn of this request among those of its sender. */
    turnAt: instant().nullable(),
    /** When the channel was asked to send it: whatever its answer was, that is not done again. */
    attemptedAt: instant().nullable(),
    delivery: p.text().$type<MessageDelivery>().default('booked'),
    channelMessageId: p.text().nullable(),
    /** Why it was not sent or not delivered, without personal data. */
    failure: p.text().nullable(),
    /** The message with the card by which the person has answered: only one counts. */
    cardMessageId: p.text().nullable(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'phone_requests_once', properties: ['clientId', 'channel', 'personKey'] }],
  indexes: [{ name: 'phone_requests_created', properties: ['createdAt'] }],
  checks: [{ name: 'phone_requests_delivery_known', expression: oneOf('delivery', MESSAGE_DELIVERIES) }],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    purgePolicy(`created_at < (current_timestamp - '${UNMATCHED_MESSAGE_DAYS} days'::interval)`),
  ],
});
