import { defineEntity, p } from '@mikro-orm/postgresql';
import { AUTHENTICATION_TABLE } from '../../../platform/database/tables/tenant-table.ts';

/**
 * The last calls of one kind to a bank that limits them. All processes share the row, and it names nobody. The moments are
 * those of the database: processes need not agree on the time.
 */
export const BankCall = defineEntity({
  name: 'BankCall',
  tableName: 'bank_calls',
  properties: {
    /** A hash of the bank's address and the client's id there, with the kind of calls. */
    scope: p.text().primary(),
    /** The oldest first, and as many as the bank allows in a minute. */
    madeAt: p.array<Date>().columnType('timestamptz[]'),
  },
  ...AUTHENTICATION_TABLE,
});
