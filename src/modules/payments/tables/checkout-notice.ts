import { defineEntity, p } from '@mikro-orm/postgresql';
import { CHECKOUT_NOTICE_DAYS } from '../../../kernel/retention-periods.ts';
import { createdAt, id, instant } from '../../../platform/database/tables/columns.ts';
import { purgePolicy, tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from '../../debts/tables/debt.ts';

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
