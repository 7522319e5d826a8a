import { ENDED_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { AUDIT_LOG_DAYS, SHORTEST_TIMELINE_DAYS } from '../../../kernel/retention-periods.ts';

/** The roles that the serving logins are members of; neither may bypass row security. */
export type ServingRole = 'quita_app' | 'quita_worker';

/** The setting that limits a transaction. The process signs the value: see `src/platform/database/scope-signer.ts`. */
export type ScopeSetting =
  | 'app.client_id'
  | 'app.debt_ids'
  | 'app.auth'
  | 'app.member'
  | 'app.receipt_protocol'
  | 'app.role'
  | 'app.operator';

// The function returns the value only when it is signed with the key of the calling login. Inside a select PostgreSQL
// calls it once for each statement instead of once for each row. The spelling is that of PostgreSQL's catalogue,
// because the schema would otherwise seem to differ from the entities.
const signed = (setting: ScopeSetting): string => `( SELECT quita_scope('${setting}'::text) AS quita_scope)`;

export const CURRENT_CLIENT = `(${signed('app.client_id')})::uuid`;

/** Policies are permissive: a row is visible when at least one policy of the role allows it. */
export interface Policy {
  name: string;
  command?: 'select' | 'insert' | 'update' | 'delete';
  /** A restrictive policy has to allow the row as well. */
  type?: 'restrictive';
  roles: (ServingRole | 'quita_functions')[];
  using?: string;
  check?: string;
}

export interface TenantTable {
  rowLevelSecurity: 'force';
  policies: Policy[];
}

/**
 * Row security of a table whose rows belong to one client. Spread it into `defineEntity`.
 * - both roles: rows of the current client only, to read and to write;
 * - quita_worker with no client set: may read rows of all clients to find work, but may change none;
 * - `debtColumn`: the public pages of a debt (`Database.debt`) may read that debt's rows.
 */
export function tenantTable(options: { clientColumn?: string; debtColumn?: string } = {}): TenantTable {
  const own = `${options.clientColumn ?? 'client_id'} = ${CURRENT_CLIENT}`;
  const policies: Policy[] = [
    { name: 'tenant', roles: ['quita_app', 'quita_worker'], using: own, check: own },
    { name: 'worker_search', command: 'select', roles: ['quita_worker'], using: `${CURRENT_CLIENT} is null` },
  ];
  if (options.debtColumn !== undefined) {
    policies.push({
      name: 'public_debt',
      command: 'select',
      roles: ['quita_app'],
      // The cast makes it one array; without it PostgreSQL would read the select as a subquery of many rows.
      using: `${options.debtColumn} = any (string_to_array(${signed('app.debt_ids')}, ',')::uuid[])`,
    });
  }
  return { rowLevelSecurity: 'force', policies };
}

/**
 * Rows that decide who has access to a company are written in the API by a transaction of one of its owners, or by one
 * that authenticates (`Database.account`), whatever the table of rights let through.
 */
const OWNER_WRITES = `((${signed('app.role')} = 'owner') OR (${signed('app.auth')} = 'on'))`;

export const OWNER_INSERT: Policy = {
  name: 'owner_insert',
  type: 'restrictive',
  command: 'insert',
  roles: ['quita_app'],
  check: OWNER_WRITES,
};

export const OWNER_POLICIES: Policy[] = [
  OWNER_INSERT,
  {
    name: 'owner_update',
    type: 'restrictive',
    command: 'update',
    roles: ['quita_app'],
    using: OWNER_WRITES,
    check: OWNER_WRITES,
  },
  { name: 'owner_delete', type: 'restrictive', command: 'delete', roles: ['quita_app'], using: OWNER_WRITES },
];

/** For sign-up, login and authentication, which do not know the client's id yet. Only `Database.auth` sets it. */
export const AUTHENTICATION_POLICY: Policy = {
  name: 'authentication',
  command: 'select',
  roles: ['quita_app'],
  using: `${signed('app.auth')} = 'on'`,
};

/**
 * Row security of a table whose rows concern several clients. Only the contact gate (quita_worker) reads all of them;
 * the API reads the rows that its client has made.
 */
export const GATE_TABLE: TenantTable = {
  rowLevelSecurity: 'force',
  policies: [
    { name: 'gate', roles: ['quita_worker'], using: 'true', check: 'true' },
    { name: 'own', command: 'select', roles: ['quita_app'], using: `client_id = ${CURRENT_CLIENT}` },
  ],
};

/**
 * Row security of a table of which rows belong to e-mails, addresses or the simulated provider, and not to a client. The
 * API reaches it with the signature of authentication alone, which the transactions of clients' statements lack.
 */
export const AUTHENTICATION_TABLE: TenantTable = {
  rowLevelSecurity: 'force',
  policies: [
    {
      name: 'authentication',
      roles: ['quita_app'],
      using: `${signed('app.auth')} = 'on'`,
      check: `${signed('app.auth')} = 'on'`,
    },
    { name: 'worker', roles: ['quita_worker'], using: 'true', check: 'true' },
  ],
};

const BY_OPERATOR = `${signed('app.operator')} = 'on'`;
const OPERATORS: Policy = { name: 'operators', roles: ['quita_app'], using: BY_OPERATOR, check: BY_OPERATOR };

/**
 * Row security of a table that belongs to the operators of the deployment. The API reaches it in the transactions of
 * operators alone (`Database.operators`), whose signature no request of a client has.
 */
export const OPERATOR_TABLE: TenantTable = {
  rowLevelSecurity: 'force',
  policies: [OPERATORS, { name: 'worker', roles: ['quita_worker'], using: 'true', check: 'true' }],
};

/** The log of operators: the API and commands add entries, and a worker deletes old ones. */
export const OPERATOR_LOG: TenantTable = {
  rowLevelSecurity: 'force',
  policies: [
    OPERATORS,
    { name: 'command_add', command: 'insert', roles: ['quita_worker'], check: 'true' },
    ...(['select', 'delete'] as const).map((command) => ({
      name: `purge_${command}`,
      command,
      roles: ['quita_worker'] as ServingRole[],
      using: `at < (current_timestamp - '${AUDIT_LOG_DAYS} days'::interval)`,
    })),
  ],
};

/** Operators see all clients: who they are and in which state, and nothing that belongs to them. */
export const OPERATOR_READS: Policy = {
  name: 'operators',
  command: 'select',
  roles: ['quita_app'],
  using: BY_OPERATOR,
};

/** The purge runs without a client. This policy limits its deletes to expired rows, whatever its statement says. */
export const purgePolicy = (over: string): Policy => ({
  name: 'purge',
  command: 'delete',
  roles: ['quita_worker'],
  using: over,
});

// The spelling, with its lines, is that of PostgreSQL's catalogue.
const endedLongAgo = (table: string): string => `(EXISTS ( SELECT
   FROM debts
  WHERE ((debts.id = ${table}.debt_id) AND (debts.status = ANY (ARRAY[${ENDED_DEBT_STATUSES.map((status) => `'${status}'::text`).join(', ')}])) AND (debts.updated_at < (quita_now() - make_interval(days => ${SHORTEST_TIMELINE_DAYS}))))))`;

/**
 * A worker deletes rows of a debt only when the debt ended longer ago than the shortest retention, whatever its statement
 * says: they are evidence of how the debt was collected.
 */
export const retentionPolicy = (table: 'debt_events' | 'debt_notes' | 'messages'): Policy => ({
  name: 'retention',
  type: 'restrictive',
  command: 'delete',
  roles: ['quita_worker'],
  using: endedLongAgo(table),
});

/** The functions of `quita_functions` find rows by ids and not by client: see `src/platform/database/routines`. */
export const functionsPolicy = (command: 'select' | 'insert' | 'update'): Policy => ({
  name: `functions_${command}`,
  command,
  roles: ['quita_functions'],
  ...(command === 'insert' ? {} : { using: 'true' }),
  ...(command === 'select' ? {} : { check: 'true' }),
});

/** A signed link contains only the protocol of a receipt, so `Scope.receiptProtocol` allows that one receipt. */
export const PUBLIC_RECEIPT_POLICY: Policy = {
  name: 'public_receipt',
  command: 'select',
  roles: ['quita_app'],
  using: `protocol = ${signed('app.receipt_protocol')}`,
};
