import { defineEntity, p } from '@mikro-orm/postgresql';
import type { OwnRules } from '../../domain/campaign-settings.ts';
import { Client } from './client.ts';
import { createdAt, id } from './columns.ts';
import { tenantTable } from './tenant-table.ts';

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
