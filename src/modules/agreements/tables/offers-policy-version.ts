import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import type { OffersPolicy } from '../rules/offers-policy.ts';

/**
 * One version of what a client offers to its debtors. No row ever changes, because offers name the version by which they
 * were made; the newest one applies.
 */
export const OffersPolicyVersion = defineEntity({
  name: 'OffersPolicyVersion',
  tableName: 'offer_policies',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    version: p.integer(),
    /** Null when the client removed its policy. */
    policy: p.json<OffersPolicy>().nullable(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'offer_policies_version', properties: ['clientId', 'version'] }],
  checks: [{ name: 'offer_policies_version_counts', expression: 'version > 0' }],
  ...tenantTable(),
});
