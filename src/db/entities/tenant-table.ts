/** The roles that serve; both are made by the first migration and neither may bypass row security. */
export type ServingRole = 'quita_app' | 'quita_worker';

// nullif: once a transaction has used the setting it is '' and not null in every later one of that connection.
export const CURRENT_CLIENT = "nullif(current_setting('app.client_id', true), '')::uuid";

// A policy alone is compared with `client_id = $1` of the query, before any row is read. Where a second one may let a row
// through, every row is asked: reading the setting each time would take most of the time of a query over many rows.
// Spelt as PostgreSQL gives it back, or the schema would seem to differ from the entities.
const readOnce = (setting: string): string => `( SELECT ${setting} AS "nullif")`;

// With the cast it is one array; without, a query of many rows.
const isAmong = (column: string, setting: string, type: 'text[]' | 'uuid[]'): string =>
  `${column} = any (${readOnce(`string_to_array(nullif(current_setting('${setting}', true), ''), ',')`)}::${type})`;

/** Permissive: a row is visible when one of the policies of the role lets it through. */
export interface Policy {
  name: string;
  command?: 'select' | 'insert' | 'delete';
  roles: ServingRole[];
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
  const onePolicy = options.debtColumn === undefined;
  const own = `${options.clientColumn ?? 'client_id'} = ${onePolicy ? CURRENT_CLIENT : readOnce(CURRENT_CLIENT)}`;
  const policies: Policy[] = [
    { name: 'tenant', roles: ['quita_app', 'quita_worker'], using: own, check: own },
    { name: 'worker_search', command: 'select', roles: ['quita_worker'], using: `${CURRENT_CLIENT} is null` },
  ];
  if (options.debtColumn !== undefined) {
    policies.push({
      name: 'public_debt',
      command: 'select',
      roles: ['quita_app'],
      using: isAmong(options.debtColumn, 'app.debt_ids', 'uuid[]'),
    });
  }
  return { rowLevelSecurity: 'force', policies };
}

/** Sign-up, login and authentication look a client up before its id is known: only `Database.auth` sets this. */
export const AUTHENTICATION_POLICY: Policy = {
  name: 'authentication',
  command: 'select',
  roles: ['quita_app'],
  using: "current_setting('app.auth', true) = 'on'",
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

/** Notifications know nothing but the provider's ids of charges: the function `note_payments` sees those charges. */
export const NOTIFIED_CHARGE_POLICY: Policy = {
  name: 'notified_charge',
  command: 'select',
  roles: ['quita_app'],
  using: isAmong('provider_payment_key', 'app.payment_keys', 'text[]'),
};

/** Whoever holds a receipt's signed link knows its protocol and nothing else: `Scope.receiptProtocol` shows that receipt. */
export const PUBLIC_RECEIPT_POLICY: Policy = {
  name: 'public_receipt',
  command: 'select',
  roles: ['quita_app'],
  using: `protocol = ${readOnce("nullif(current_setting('app.receipt_protocol', true), '')")}`,
};
