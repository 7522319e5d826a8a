import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant } from '../../../platform/database/tables/columns.ts';
import { functionsPolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';

const tenancy = tenantTable();

/**
 * The public page of a person with one client. The id is the address, so that an address can be neither guessed nor
 * computed from a CPF. A person has one open page at a time. The row is deleted when the person's data is erased.
 */
export const DebtorPage = defineEntity({
  name: 'DebtorPage',
  tableName: 'debtor_pages',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtorTaxId: p.text(),
    sandbox: p.boolean(),
    /** When the address became known to somebody else. The page shows nothing since then. */
    closedAt: instant().nullable(),
    createdAt: createdAt(),
  },
  indexes: [
    {
      name: 'debtor_pages_open',
      expression:
        'create unique index "debtor_pages_open" on "debtor_pages" ("client_id", "debtor_tax_id", "sandbox") where closed_at is null',
    },
    { name: 'debtor_pages_client', properties: ['clientId'] },
  ],
  ...tenancy,
  policies: [...tenancy.policies, functionsPolicy('select')],
});
