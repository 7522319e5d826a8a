import { defineEntity, p } from '@mikro-orm/postgresql';
import { IDEMPOTENCY_KEY_HOURS } from '../../../kernel/retention-periods.ts';
import { createdAt, id, instant } from './columns.ts';
import { purgePolicy, tenantTable } from './tenant-table.ts';

const tenancy = tenantTable();

/**
 * A call with an `Idempotency-Key`, from the moment at which its work begins. The row has an answer once the work is
 * done; until then one attempt holds it.
 */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  properties: {
    /** The id of the work, which is the same in every attempt: what the work creates may have this id. */
    id: id(),
    // There is no foreign key: the rows live for a day, and one would lock the client's row for each call.
    clientId: p.uuid(),
    /** The operation that was called. */
    route: p.text(),
    /** A digest, because a caller may choose a key that says something about a person. */
    keyHash: p.text(),
    /** A digest of path, query and body. */
    requestHash: p.text(),
    /** The attempt that does the work. An attempt that lost the row to a later one stores nothing. */
    attempt: p.uuid(),
    /** Until when the attempt holds the row; null once there is an answer. */
    runningUntil: instant().nullable(),
    /** The first answer, as compressed JSON. */
    answer: p.blob().nullable(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'idempotency_keys_key', properties: ['clientId', 'route', 'keyHash'] }],
  indexes: [{ name: 'idempotency_keys_created_at', properties: ['createdAt'] }],
  checks: [
    { name: 'idempotency_keys_running_or_answered', expression: '(running_until is null) = (answer is not null)' },
  ],
  ...tenancy,
  policies: [
    ...tenancy.policies,
    purgePolicy(`created_at < (current_timestamp - '${IDEMPOTENCY_KEY_HOURS}:00:00'::interval)`),
  ],
});
