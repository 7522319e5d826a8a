import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from './debt.ts';

/**
 * The phones of a debt that has several, in the order in which the client gave them. The phone in use is
 * `debtorPhone` of the debt. A debt with one phone has no row here.
 */
export const DebtPhone = defineEntity({
  name: 'DebtPhone',
  tableName: 'debt_phones',
  properties: {
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id').primary().deleteRule('cascade'),
    /** From 1. */
    position: p.integer().primary(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    /** The phone in E.164 format. */
    phone: p.text(),
  },
  indexes: [
    { name: 'debt_phones_phone', properties: ['phone', 'clientId'] },
    { name: 'debt_phones_client', properties: ['clientId'] },
  ],
  ...tenantTable(),
});
