import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, updatedAt } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';

/** A text of the client that its staff put into an answer and may change there. It names no debtor. */
export const SavedAnswer = defineEntity({
  name: 'SavedAnswer',
  tableName: 'saved_answers',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    name: p.text(),
    /** With the placeholders as the staff wrote them. */
    text: p.text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [{ name: 'saved_answers_client', properties: ['clientId', 'name', 'id'] }],
  ...tenantTable(),
});
