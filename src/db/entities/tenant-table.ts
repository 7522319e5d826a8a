/** The roles that the serving logins are members of; neither may bypass row security. */
export type ServingRole = 'quita_app' | 'quita_worker';

/** What a transaction may be limited to. The value is signed by the process: see `src/db/scope-signer.ts`. */
export type ScopeSetting = 'app.client_id' | 'app.debt_ids' | 'app.auth' | 'app.receipt_protocol';

// The function gives the value only when it is signed with the key of the login that asks. It stands in a select of its
// own, so that it is called once a statement and not once a row. Spelt as PostgreSQL gives it back, or the schema would
// seem to differ from the entities.
const signed = (setting: ScopeSetting): string => `( SELECT quita_scope('${setting}'::text) AS quita_scope)`;

export const CURRENT_CLIENT = `(${signed('app.client_id')})::uuid`;

/** Permissive: a row is visible when one of the policies of the role lets it through. */
export interface Policy {
  name: string;
  command?: 'select' | 'insert' | 'delete';
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
 * - quita_worker with no client set: may look for work across clients, but change nothing;
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
      // With the cast it is one array; without, a query of many rows.
      using: `${options.debtColumn} = any (string_to_array(${signed('app.debt_ids')}, ',')::uuid[])`,
    });
  }
  return { rowLevelSecurity: 'force', policies };
}

/** Sign-up, login and authentication look a client up before its id is known: only `Database.auth` sets this. */
export const AUTHENTICATION_POLICY: Policy = {
  name: 'authentication',
  command: 'select',
  roles: ['quita_app'],
  using: `${signed('app.auth')} = 'on'`,
};

/** Row security of a table that only quita_worker may see: what it holds spans clients. */
export const GATE_ONLY: TenantTable = {
  rowLevelSecurity: 'force',
  policies: [{ name: 'gate', roles: ['quita_worker'], using: 'true', check: 'true' }],
};

/** The purge runs for no client, and may remove what is over: only such rows, whatever its statement says. */
export const purgePolicy = (over: string): Policy => ({
  name: 'purge',
  command: 'delete',
  roles: ['quita_worker'],
  using: over,
});

/** The functions of `quita_functions` know what they look for and nothing of clients: see the migration `logins`. */
export const functionsPolicy = (command: 'select' | 'insert'): Policy => ({
  name: `functions_${command}`,
  command,
  roles: ['quita_functions'],
  ...(command === 'select' ? { using: 'true' } : { check: 'true' }),
});

/** Whoever holds a receipt's signed link knows its protocol and nothing else: `Scope.receiptProtocol` shows that receipt. */
export const PUBLIC_RECEIPT_POLICY: Policy = {
  name: 'public_receipt',
  command: 'select',
  roles: ['quita_app'],
  using: `protocol = ${signed('app.receipt_protocol')}`,
};
