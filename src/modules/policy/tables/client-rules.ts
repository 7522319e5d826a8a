import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import type { OwnRules } from '../rules/campaign-settings.ts';

/**
 * The rules by which a client is stricter than the policy. No row ever changes: verdicts name the version, and the newest
 * one applies.
 */
export const ClientRules = defineEntity({
  name: 'ClientRules',
  tableName: 'client_rules',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    version: p.integer(),
    rules: p.json<OwnRules>(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'client_rules_version', properties: ['clientId', 'version'] }],
  checks: [{ name: 'client_rules_version_counts', expression: 'version > 0' }],
  ...tenantTable(),
});
