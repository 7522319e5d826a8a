import type { Config } from '../config/index.ts';
import { addAudit } from '../db/audit.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { prepareDatabase } from '../db/prepare-database.ts';
import { startDatabase } from '../infrastructure.ts';
import { createShutdown, stopOnSignals } from '../runtime/shutdown.ts';

/** What the audit log is told of a command: its name, and never its other arguments, which may name a person. */
export interface UsedCommand {
  readonly name: string;
  /** Which client it is about, where it is about one. */
  readonly client?: string | undefined;
}

/** Works beside a running product, or brings up the database for as long as it needs it. Each use leaves an audit entry. */
export async function onDatabase<T>(
  config: Config,
  command: UsedCommand,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const shutdown = createShutdown(() => undefined);
  stopOnSignals(shutdown.close, () => undefined);
  try {
    const url = await startDatabase({ config, shutdown, log: () => undefined });
    await prepareDatabase(url, { passwords: config.databasePasswords });
    const db = await openDatabase({ url, role: 'quita_operator', poolSize: 2 });
    shutdown.add('the connections', db.close);
    return await audited(db, command, work);
  } finally {
    await shutdown.close();
  }
}

async function audited<T>(db: Database, command: UsedCommand, work: (db: Database) => Promise<T>): Promise<T> {
  const note = (done: boolean): Promise<void> => {
    const details = { done, client: command.client ?? null };
    const entry = { clientId: null, actor: 'operator', action: 'command_used', target: command.name, details } as const;
    return db.system().transactional((em) => addAudit(em, entry));
  };
  let result: T;
  try {
    result = await work(db);
  } catch (error) {
    // The failure of the command is what the operator has to read, whatever becomes of its entry.
    await note(false).catch(() => undefined);
    throw error;
  }
  await note(true);
  return result;
}
