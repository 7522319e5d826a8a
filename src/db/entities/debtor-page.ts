import { defineEntity, p } from '@mikro-orm/postgresql';
import { Client } from './client.ts';
import { createdAt, id } from './columns.ts';
import { functionsPolicy, tenantTable } from './tenant-table.ts';

const tenancy = tenantTable();

/**
 * The public page of a person with one client. The id is the address, so that an address can be neither guessed nor
 * computed from a CPF. The row is deleted when the person's data is erased, and when the address is known to somebody
 * else; the next message makes another one.
 */
export const DebtorPage = defineEntity({
  name: 'DebtorPage',
  tableName: 'debtor_pages',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtorCpf: p.text(),
    sandbox: p.boolean(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'debtor_pages_person', properties: ['clientId', 'debtorCpf', 'sandbox'] }],
  ...tenancy,
  policies: [...tenancy.policies, functionsPolicy('select')],
});
