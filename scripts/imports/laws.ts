/**
 * The table of the import laws, which says which folder may import which. `npm run check` reads it, and
 * `test/arch/import-laws.test.ts` plants violations. A path may always import files of its own folder; the most
 * specific path of a file counts. `docs/architecture.md` explains the directions.
 */
export interface Law {
  /** A folder or a file, from the root of the project. */
  readonly path: string;
  /** The folders and files that it may import besides its own; `'*'` allows all of the project. */
  readonly mayImport: readonly string[] | '*';
  /** The folders of which it may import types. */
  readonly mayImportTypes?: readonly string[];
  /** The packages that it may import; `'*'` allows all except those of `OWNED_PACKAGES`. */
  readonly packages: readonly string[] | '*';
}

/** Packages that belong to one place, so that what they reach is reached in one way. */
export const OWNED_PACKAGES: readonly { readonly name: string; readonly owners: readonly string[] }[] = [
  { name: '@temporalio/client', owners: ['src/temporal/gateway.ts'] },
  { name: 'kysely', owners: ['src/db'] },
  { name: 'pg', owners: ['src/db', 'src/runtime'] },
  { name: '@modelcontextprotocol/server', owners: ['src/mcp', 'src/commands/mcp.ts'] },
];

const BELOW_SERVICES = ['src/ports', 'src/db', 'src/documents', 'src/domain'];

/** Each folder of the services may import the ones before it. */
const SERVICE_ORDER = ['shared', 'debts', 'messaging', 'payments', 'receipts', 'collection'];
const serviceFolder = (name: string, earlier: readonly string[]): Law => ({
  path: `src/services/${name}`,
  mayImport: [...BELOW_SERVICES, ...earlier.map((one) => `src/services/${one}`)],
  packages: '*',
});

const TEMPORAL = [
  'workflows/contract.ts',
  'workflows/ids.ts',
  'workflows/schedules.ts',
  'src/db',
  'src/ports',
  // The SDK serves its metrics on a port of the loopback interface.
  'src/runtime/free-port.ts',
];

export const LAWS: readonly Law[] = [
  { path: 'src/domain', mayImport: [], packages: [] },
  { path: 'src/ports', mayImport: ['src/domain'], packages: '*' },
  { path: 'src/documents', mayImport: ['src/domain'], packages: '*' },
  { path: 'src/config', mayImport: [], packages: '*' },
  { path: 'src/runtime', mayImport: [], packages: '*' },
  { path: 'src/adapters', mayImport: ['src/ports', 'src/documents', 'src/domain'], packages: '*' },
  { path: 'src/db', mayImport: ['src/domain'], mayImportTypes: ['src/ports'], packages: '*' },
  ...SERVICE_ORDER.map((name, index) => serviceFolder(name, SERVICE_ORDER.slice(0, index))),
  serviceFolder('campaigns', SERVICE_ORDER),
  serviceFolder('import', SERVICE_ORDER),
  serviceFolder('accounts', ['shared']),
  serviceFolder('events', ['shared']),
  { path: 'src/services', mayImport: BELOW_SERVICES, packages: '*' },
  { path: 'src/http', mayImport: ['src/services', 'src/documents', 'src/domain'], packages: '*' },
  // It calls the API over HTTP, as anybody else does.
  { path: 'src/mcp', mayImport: [], packages: '*' },
  // The console calls the API over HTTP, as anybody else does.
  { path: 'web', mayImport: [], packages: '*' },
  { path: 'activities', mayImport: ['src/services', 'src/ports', 'src/domain'], packages: '*' },
  { path: 'workflows', mayImport: ['src/domain', 'activities/contract.ts'], packages: ['@temporalio/workflow'] },
  { path: 'src/temporal/worker.ts', mayImport: ['src/temporal', ...TEMPORAL, 'activities'], packages: '*' },
  { path: 'src/temporal', mayImport: ['src/temporal/worker.ts', ...TEMPORAL], packages: '*' },
  { path: 'src', mayImport: '*', packages: '*' },
];
