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
  /** The packages that it may import; `'*'` allows all except those of `OWNED_PACKAGES`, `'every'` these too. */
  readonly packages: readonly string[] | '*' | 'every';
}

/** Packages that belong to one place, so that what they reach is reached in one way. */
export const OWNED_PACKAGES: readonly { readonly name: string; readonly owners: readonly string[] }[] = [
  { name: '@temporalio/client', owners: ['src/platform/temporal/gateway.ts'] },
  { name: 'pg', owners: ['src/platform/database', 'src/platform/runtime'] },
  { name: '@modelcontextprotocol/server', owners: ['src/app/mcp', 'src/app/commands/mcp.ts'] },
];

/** Each module may import the ones before it and none after it, so that there is no circle. */
export const MODULES = [
  'accounts',
  'policy',
  'events',
  'terms',
  'debts',
  'agreements',
  'genuine',
  'messaging',
  'payments',
  'receipts',
  'agent',
  'collection',
  'bureaus',
  'campaigns',
  'settlement-files',
  'staff-mail',
  'evidence',
  'rights',
  'privacy',
];

/**
 * The folders of a module in which use cases stand. Those of a large module are divided by what they serve. Within its
 * module each may import the ones before it and none after it, so that there is no circle.
 */
const USE_CASES = [
  'use-cases',
  'import',
  'gate',
  'planning',
  'recovery',
  'agreements',
  'staff',
  'contact',
  'conversation',
];

interface Room {
  readonly names: readonly string[];
  /** The rooms of its own module, and of the modules before, that it may import. */
  readonly rooms: readonly string[];
  readonly others: readonly string[];
  readonly types?: readonly string[];
  readonly packages: readonly string[] | '*';
}

const ROOMS: readonly Room[] = [
  { names: ['rules'], rooms: ['rules'], others: ['src/kernel'], packages: [] },
  { names: ['ports'], rooms: ['rules', 'ports'], others: ['src/kernel', 'src/platform/ports'], packages: '*' },
  {
    names: ['texts'],
    rooms: ['rules', 'texts'],
    others: ['src/kernel', 'src/platform/mail/email.ts', 'src/platform/spreadsheets'],
    packages: '*',
  },
  {
    names: ['tables'],
    rooms: ['rules', 'tables'],
    others: ['src/kernel', 'src/platform/database/tables'],
    packages: '*',
  },
  {
    names: ['queries'],
    rooms: ['rules', 'tables', 'queries'],
    others: ['src/kernel', 'src/platform/database'],
    types: ['ports'],
    packages: '*',
  },
  {
    names: ['adapters'],
    rooms: ['rules', 'texts', 'ports', 'adapters'],
    others: [
      'src/kernel',
      'src/platform/ports',
      'src/platform/mail',
      'src/platform/spreadsheets',
      'src/platform/network',
      'src/platform/threads',
    ],
    packages: '*',
  },
  {
    names: USE_CASES,
    rooms: ['rules', 'texts', 'ports', 'tables', 'queries', ...USE_CASES],
    others: [
      'src/kernel',
      'src/platform/database',
      'src/platform/mail/email.ts',
      'src/platform/ports',
      'src/platform/shared',
      'src/platform/spreadsheets',
    ],
    packages: '*',
  },
  {
    names: ['routes'],
    rooms: ['rules', 'texts', 'routes', ...USE_CASES],
    others: ['src/kernel', 'src/platform/http', 'src/platform/shared', 'src/platform/spreadsheets'],
    packages: '*',
  },
];

const lawsOfModule = (module: string, place: number): Law[] => {
  const known = MODULES.slice(0, place + 1);
  const isLater = (room: string, name: string): boolean =>
    USE_CASES.includes(name) && USE_CASES.indexOf(room) > USE_CASES.indexOf(name);
  const folders = (rooms: readonly string[], name: string) =>
    known.flatMap((one) =>
      rooms.filter((room) => one !== module || !isLater(room, name)).map((room) => `src/modules/${one}/${room}`),
    );
  /** What use cases are given: by all modules, and by a module to the ones after it. */
  const deps = ['src/modules/deps.ts', ...known.map((one) => `src/modules/${one}/deps.ts`)];
  return ROOMS.flatMap(({ names, rooms, others, types = [], packages }) =>
    names.map((name) => ({
      path: `src/modules/${module}/${name}`,
      mayImport: [...others, ...folders(rooms, name), ...(names === USE_CASES ? deps : [])],
      mayImportTypes: folders(types, name),
      packages,
    })),
  );
};

const TEMPORAL = [
  'workflows/contract.ts',
  'workflows/ids.ts',
  'workflows/schedules.ts',
  'src/kernel',
  'src/platform/database',
  // The SDK serves its metrics on a port of the loopback interface.
  'src/platform/runtime/free-port.ts',
];

const platform = (folder: string, others: readonly string[], types: readonly string[] = []): Law => ({
  path: `src/platform/${folder}`,
  mayImport: ['src/kernel', ...others],
  mayImportTypes: types,
  packages: '*',
});

export const LAWS: readonly Law[] = [
  { path: 'src/kernel', mayImport: [], packages: [] },
  { path: 'src/kernel/ports', mayImport: ['src/kernel'], packages: '*' },
  { path: 'src/kernel/texts', mayImport: ['src/kernel'], packages: '*' },
  { path: 'src/platform/config', mayImport: [], packages: '*' },
  { path: 'src/platform/runtime', mayImport: [], packages: '*' },
  platform('network', []),
  platform('ports', []),
  platform('spreadsheets', []),
  platform('threads', []),
  platform('mail', ['src/platform/ports', 'src/platform/network']),
  platform('adapters', ['src/platform/ports', 'src/platform/network']),
  // The list of all tables is the schema of the one database.
  platform('database', ['src/modules/tables.ts'], ['src/platform/ports']),
  platform('shared', ['src/platform/database', 'src/platform/ports']),
  platform('http', ['src/platform/shared', 'src/platform/spreadsheets']),
  {
    path: 'src/platform/temporal/worker.ts',
    mayImport: ['src/platform/temporal', ...TEMPORAL, 'activities'],
    packages: '*',
  },
  { path: 'src/platform/temporal', mayImport: ['src/platform/temporal/worker.ts', ...TEMPORAL], packages: '*' },
  ...MODULES.flatMap(lawsOfModule),
  { path: 'src/modules', mayImport: ['src/kernel', 'src/platform', 'src/modules'], packages: '*' },
  // It calls the API over HTTP, as anybody else does.
  { path: 'src/app/mcp', mayImport: [], packages: '*' },
  // The console calls the API over HTTP, as anybody else does.
  { path: 'web', mayImport: [], packages: '*' },
  {
    path: 'activities',
    mayImport: ['src/app/services', 'src/kernel', 'src/platform/ports', 'src/platform/shared', 'src/modules'],
    packages: '*',
  },
  {
    path: 'workflows',
    mayImport: ['src/kernel', ...MODULES.map((one) => `src/modules/${one}/rules`), 'activities/contract.ts'],
    packages: ['@temporalio/workflow'],
  },
  { path: 'src', mayImport: '*', packages: '*' },
  // What tests and benches share. A test never leans on a bench, nor a bench on a test.
  { path: 'testing', mayImport: ['src', 'activities', 'workflows', 'scripts'], packages: 'every' },
  { path: 'bench', mayImport: ['src', 'activities', 'workflows', 'scripts', 'testing'], packages: 'every' },
  // It plants forbidden imports as texts.
  { path: 'test/arch/import-laws.test.ts', mayImport: '*', packages: 'every' },
  {
    path: 'test',
    mayImport: ['src', 'activities', 'workflows', 'scripts', 'testing', 'web/src/texts'],
    packages: 'every',
  },
];
