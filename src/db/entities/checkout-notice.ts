import { defineEntity, p } from '@mikro-orm/postgresql';
import { CHECKOUT_NOTICE_DAYS } from '../../domain/retention-periods.ts';
import { Client } from './client.ts';
import { createdAt, id, instant } from './columns.ts';
import { Debt } from './debt.ts';
import { purgePolicy, tenantTable } from './tenant-table.ts';

const tenancy = tenantTable();

/** The result of a button on the debtor's page. The next page shows it once, and only when the action was done. */
export const CheckoutNotice = defineEntity({
  name: 'CheckoutNotice',
  tableName: 'checkout_notices',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id'),
    notice: p.text(),
    createdAt: createdAt(),
    shownAt: instant().nullable(),
  },
  indexes: [
    { name: 'checkout_notices_client', properties: ['clientId'] },
    { name: 'checkout_notices_debt', properties: ['debtId'] },
    { name: 'checkout_notices_created_at', properties: ['createdAt'] },
  ],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    purgePolicy(`created_at < (current_timestamp - '${CHECKOUT_NOTICE_DAYS} day'::interval)`),
  ],
});
