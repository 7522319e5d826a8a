import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, oneOf } from './columns.ts';
import { GATE_ONLY } from './tenant-table.ts';

export const SUPPRESSION_KINDS = ['opt_out', 'wrong_person'] as const;
export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number];

/**
 * Who must not be contacted any more. `opt_out`: the person, by one client and by every client that sends from the same
 * number (`sender`). `wrong_person`: that phone for that person, by anybody. Never deleted by the product.
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
  indexes: [{ name: 'suppressions_person', properties: ['personKey', 'sandbox'] }],
  checks: [{ name: 'suppressions_kind_known', expression: oneOf('kind', SUPPRESSION_KINDS) }],
  ...GATE_ONLY,
});
