import { ROLES, type Role } from '../../platform/config/index.ts';

export interface Command {
  summary: string;
  run(args: readonly string[]): Promise<void>;
}

// The import is dynamic because the worker's libraries take longer to load than an operator's command takes to run.
const serve = async (roles: readonly Role[]): Promise<void> => (await import('../serve.ts')).serve(roles);
const clients = async (args: readonly string[]): Promise<void> => (await import('./clients.ts')).runClients(args);
const operators = async (args: readonly string[]): Promise<void> => (await import('./operators.ts')).runOperators(args);

const privacy = async (args: readonly string[]): Promise<void> => (await import('./privacy.ts')).runPrivacy(args);

const channels = async (args: readonly string[]): Promise<void> => (await import('./channels.ts')).runChannels(args);

const collections = async (args: readonly string[]): Promise<void> =>
  (await import('./collections.ts')).runCollections(args);

const indices = async (args: readonly string[]): Promise<void> => (await import('./indices.ts')).runIndices(args);

const annualQuittance = async (args: readonly string[]): Promise<void> =>
  (await import('./annual-quittance.ts')).runAnnualQuittance(args);

const migrate = async (args: readonly string[]): Promise<void> => (await import('./migrate.ts')).runMigrate(args);

const backup = async (args: readonly string[]): Promise<void> => (await import('./backup.ts')).runBackup(args);
const restore = async (args: readonly string[]): Promise<void> => (await import('./restore.ts')).runRestore(args);

const evidence = async (args: readonly string[]): Promise<void> => (await import('./evidence.ts')).runEvidence(args);
const policy = async (args: readonly string[]): Promise<void> => (await import('./policy.ts')).runPolicy(args);

const mcp = async (args: readonly string[]): Promise<void> => (await import('./mcp.ts')).runMcp(args);

const role = (name: Role, summary: string): Command => ({ summary, run: () => serve([name]) });

const COMMANDS: Readonly<Record<string, Command>> = {
  start: { summary: 'API and relay, and the worker in a separate process (as npm start)', run: () => serve(ROLES) },
  api: role('api', 'the HTTP API alone'),
  worker: role('worker', 'a Temporal worker alone'),
  relay: role('relay', 'the relay from the outbox to Temporal alone'),
  migrate: { summary: 'updates the schema of the database and its serving logins', run: migrate },
  clients: { summary: 'list, verify, connect, pause, resume or cancel a client', run: clients },
  operators: { summary: 'invites, lists or removes operators of the deployment', run: operators },
  channels: { summary: 'pushes templates, asks about them, and sends a test message', run: channels },
  collections: { summary: 'starts campaigns and collections whose workflows are lost', run: collections },
  indices: { summary: 'brings published values of the Taxa Legal and the IPCA', run: indices },
  policy: { summary: 'checks a contact policy, and says what another one would change', run: policy },
  backup: { summary: 'writes the embedded databases and the secrets to one file', run: backup },
  restore: { summary: 'restores such a file into a data folder', run: restore },
  'annual-quittance': { summary: 'declares that all bills of a person of a year are paid', run: annualQuittance },
  evidence: { summary: 'checks a pack of evidence', run: evidence },
  mcp: { summary: 'offers the API to language models (Model Context Protocol)', run: mcp },
  privacy: {
    summary: 'erases the personal data of a debtor, or sets how long a client keeps conversations',
    run: privacy,
  },
};

const usage = (): string => {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  quita ${name.padEnd(16)} ${summary}`);
  return `Usage:\n${lines.join('\n')}\n`;
};

export const runCommand = async ([name, ...args]: readonly string[]): Promise<void> => {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(usage());
    return;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    process.stderr.write(`There is no command "${name}"\n${usage()}`);
    process.exitCode = 1;
    return;
  }
  await command.run(args);
};
