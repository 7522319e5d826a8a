import { defineEntity, p } from '@mikro-orm/postgresql';
import { SENT_TEXT_DAYS } from '../../../kernel/retention-periods.ts';
import { createdAt, id } from '../../../platform/database/tables/columns.ts';
import { functionsPolicy, purgePolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';

const tenancy = tenantTable();

/**
 * The keyed hash of a text that was sent to somebody. It names neither the message nor the person, so the row stays when
 * the person is erased. One message has a row for each form in which its whole text can be copied.
 */
export const SentText = defineEntity({
  name: 'SentText',
  tableName: 'sent_texts',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    sandbox: p.boolean(),
    hash: p.blob(),
    createdAt: createdAt(),
  },
  indexes: [
    { name: 'sent_texts_hash', properties: ['hash'] },
    { name: 'sent_texts_client', properties: ['clientId'] },
    { name: 'sent_texts_created', properties: ['createdAt'] },
  ],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    functionsPolicy('select'),
    purgePolicy(`created_at < (current_timestamp - '${SENT_TEXT_DAYS} days'::interval)`),
  ],
});
