import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant } from '../../../platform/database/tables/columns.ts';
import { OPERATOR_TABLE } from '../../../platform/database/tables/tenant-table.ts';

/** A person who operates the deployment. It is a member of no client. */
export const Operator = defineEntity({
  name: 'Operator',
  tableName: 'operators',
  properties: {
    id: id(),
    /** The e-mail address in lower case. */
    email: p.text(),
    passwordHash: p.text(),
    /** The secret of the app that makes codes, sealed and bound to this operator. Nobody is an operator without it. */
    sealed: p.text(),
    /** The 30 seconds of the last code that was used. */
    lastStep: p.integer(),
    createdAt: createdAt(),
    lastLoginAt: instant().nullable(),
    /** The row stays, so that what the operator did keeps its author. */
    removedAt: instant().nullable(),
  },
  indexes: [
    {
      name: 'operators_email',
      expression: 'create unique index "operators_email" on "operators" ("email") where removed_at is null',
    },
  ],
  checks: [{ name: 'operators_email_lower_case', expression: 'email = lower(email)' }],
  ...OPERATOR_TABLE,
});
