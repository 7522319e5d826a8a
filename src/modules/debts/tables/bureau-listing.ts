import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from './debt.ts';

/**
 * A debt that the client has listed at a credit bureau, as the client says. The service lists nobody. A row has no
 * personal data, so that it stays when the person is erased: the duty to remove the listing stays too.
 */
export const BureauListing = defineEntity({
  name: 'BureauListing',
  tableName: 'bureau_listings',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id').deleteRule('cascade'),
    bureau: p.text(),
    /** Days by the debtor's calendar. */
    listedOn: p.date(),
    notifiedOn: p.date(),
    /** Until when it has to be removed; null while the debt is neither paid nor agreed about. */
    removeBy: instant().nullable(),
    /** When the staff are told of it next, by the debt's own clock; null when nobody is. */
    remindAt: instant().nullable(),
    removedOn: p.date().nullable(),
    createdAt: createdAt(),
  },
  indexes: [
    // One listing of a debt at a bureau stands at a time.
    {
      name: 'bureau_listings_open',
      expression:
        'create unique index "bureau_listings_open" on "bureau_listings" ("debt_id", lower("bureau")) where removed_on is null',
    },
    { name: 'bureau_listings_debt', properties: ['debtId'] },
    {
      name: 'bureau_listings_to_remind',
      properties: ['debtId'],
      where: 'removed_on is null and remind_at is not null',
    },
    { name: 'bureau_listings_client', properties: ['clientId', 'createdAt', 'id'] },
  ],
  checks: [
    { name: 'bureau_listings_notice_first', expression: 'notified_on < listed_on' },
    { name: 'bureau_listings_removed_later', expression: 'removed_on >= listed_on' },
  ],
  ...tenantTable(),
});
