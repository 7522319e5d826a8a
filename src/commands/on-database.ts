import type { Config } from '../config/index.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { layDatabase } from '../foundations.ts';
import { createShutdown, stopOnSignals } from '../runtime/shutdown.ts';

/** Works beside a running product, or brings up the database for as long as it needs it. */
export async function onDatabase<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  const shutdown = createShutdown(() => undefined);
  stopOnSignals(shutdown.close, () => undefined);
  try {
    const url = await layDatabase({ config, shutdown, log: () => undefined });
    await migrate(url);
    const db = await openDatabase({ url, role: 'quita_worker', poolSize: 2 });
    shutdown.add('the connections', db.close);
    return await work(db);
  } finally {
    await shutdown.close();
  }
}
