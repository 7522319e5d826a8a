import { defineEntity, p } from '@mikro-orm/postgresql';
import { UNMATCHED_MESSAGE_DAYS } from '../../../kernel/retention-periods.ts';
import { createdAt, id } from '../../../platform/database/tables/columns.ts';
import { purgePolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';

const tenancy = tenantTable();

/** A message that came to a client's sender from somebody who has no debt with the client. It gets no answer. */
export const UnmatchedMessage = defineEntity({
  name: 'UnmatchedMessage',
  tableName: 'unmatched_messages',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    channel: p.text(),
    senderId: p.text(),
    channelMessageId: p.text(),
    /** The HMAC of the channel's own id of who wrote it, where there is one. */
    personKey: p.text().nullable(),
    /** From whom, and the text, as `src/kernel/ports/credential-cipher.ts` has sealed them. */
    sealed: p.text(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'unmatched_messages_once', properties: ['clientId', 'channel', 'channelMessageId'] }],
  indexes: [
    { name: 'unmatched_messages_created', properties: ['createdAt'] },
    {
      name: 'unmatched_messages_person',
      properties: ['personKey', 'clientId'],
      where: 'person_key is not null',
    },
  ],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    purgePolicy(`created_at < (current_timestamp - '${UNMATCHED_MESSAGE_DAYS} days'::interval)`),
  ],
});
