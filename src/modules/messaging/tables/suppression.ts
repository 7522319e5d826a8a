import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, oneOf } from '../../../platform/database/tables/columns.ts';
import { functionsPolicy, GATE_TABLE } from '../../../platform/database/tables/tenant-table.ts';

export const SUPPRESSION_KINDS = ['opt_out', 'wrong_person', 'phone_opt_out'] as const;
export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number];

/**
 * A rule that a person or a phone must not be contacted any more. `opt_out` binds one client, and every client that
 * sends from the same number (`sender`), for the person and for the phone. `phone_opt_out` does so for the phone alone,
 * because its holder is not the debtor. `wrong_person` binds all clients for that phone and person. The product never
 * deletes a row.
 */
export const Suppression = defineEntity({
  name: 'Suppression',
  tableName: 'suppressions',
  properties: {
    id: id(),
    sandbox: p.boolean(),
    kind: p.text().$type<SuppressionKind>(),
    personKey: p.text(),
    phoneKey: p.text(),
    clientId: p.uuid(),
    sender: p.text().nullable(),
    createdAt: createdAt(),
  },
  indexes: [
    { name: 'suppressions_person', properties: ['personKey', 'sandbox'] },
    { name: 'suppressions_phone', properties: ['phoneKey', 'sandbox'] },
  ],
  checks: [{ name: 'suppressions_kind_known', expression: oneOf('kind', SUPPRESSION_KINDS) }],
  ...GATE_TABLE,
  policies: [...GATE_TABLE.policies, functionsPolicy('select')],
});
