import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';

/**
 * The case that a member has open now, and until when that counts. A member has one row, so the table needs no purge. No
 * key leads to the debt: a row that names a debt must never wait for whoever decides about it.
 */
export const CaseViewer = defineEntity({
  name: 'CaseViewer',
  tableName: 'case_viewers',
  properties: {
    /** The signed setting of the transaction says who looks, so that nobody can look in another's name. */
    memberId: p.uuid().primary().defaultRaw("(quita_scope('app.member'::text))::uuid"),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: p.uuid(),
    /** In real time. */
    until: instant(),
  },
  indexes: [
    { name: 'case_viewers_client', properties: ['clientId'] },
    { name: 'case_viewers_debt', properties: ['debtId'] },
  ],
  ...tenantTable(),
});
