import { migrate } from '../../platform/database/migrate.ts';
import { servesAs } from '../../platform/database/serving-access.ts';
import { createShutdown, stopOnSignals } from '../../platform/runtime/shutdown.ts';
import { startDatabase } from '../infrastructure.ts';
import { explain, loadWithSecrets } from '../load-with-secrets.ts';

const USAGE = `Usage:
  quita migrate    brings the schema and the logins that serve up to date, with the DATABASE_URL of the database's owner
`;

async function bringUpToDate(): Promise<string> {
  const shutdown = createShutdown(() => undefined);
  stopOnSignals(shutdown.close, () => undefined);
  try {
    const config = loadWithSecrets([]);
    const url = await startDatabase({ config, shutdown, log: () => undefined });
    const serves = await servesAs(url);
    if (serves !== null) {
      throw new Error(
        `The DATABASE_URL names the serving login of ${serves}: migrate with the URL of the database's owner`,
      );
    }
    const applied = await migrate(url, config.databasePasswords);
    return applied.length === 0 ? 'The schema is up to date' : applied.map((name) => `applied ${name}`).join('\n');
  } finally {
    await shutdown.close();
  }
}

export async function runMigrate(args: readonly string[]): Promise<void> {
  if (args.length > 0) {
    process.stderr.write(USAGE);
    process.exitCode = 1;
    return;
  }
  try {
    process.stdout.write(`${await bringUpToDate()}\n`);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}
