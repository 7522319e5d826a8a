import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt } from '../../../platform/database/tables/columns.ts';
import { OPERATOR_LOG } from '../../../platform/database/tables/tenant-table.ts';
import type { OperatorAction } from '../rules/operator-limits.ts';

/** They contain only words of this service, counts and states. */
export type ActDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** What operators have done. The serving roles add and read entries, and change none. */
export const OperatorAct = defineEntity({
  name: 'OperatorAct',
  tableName: 'operator_acts',
  properties: {
    seq: p.bigint('number').primary().autoincrement(),
    at: createdAt(),
    /** Null for a command of the server's own terminal, and for a login with an address that no operator has. */
    operatorId: p.uuid().nullable(),
    action: p.text().$type<OperatorAction>(),
    clientId: p.uuid().nullable(),
    ip: p.text().nullable(),
    details: p.json<ActDetails>().nullable(),
  },
  indexes: [
    { name: 'operator_acts_client', properties: ['clientId', 'seq'] },
    { name: 'operator_acts_at', properties: ['at'] },
  ],
  ...OPERATOR_LOG,
});
