import { addAudit } from '../../modules/accounts/queries/add-audit.ts';
import type { Config } from '../../platform/config/index.ts';
import { type Database, openDatabase } from '../../platform/database/database.ts';
import { prepareDatabase } from '../../platform/database/prepare-database.ts';
import { createShutdown, stopOnSignals } from '../../platform/runtime/shutdown.ts';
import { startDatabase } from '../infrastructure.ts';

/** The audit log stores the name of a command but not its other arguments, because they may name a person. */
export interface UsedCommand {
  readonly name: string;
  /** The client that the command concerns, if it concerns one. */
  readonly client?: string | undefined;
}

/**
 * Uses the database of a running instance, or starts it for the duration of the command. Each use leaves an audit
 * entry.
 */
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
    const db = await openDatabase({ url, role: 'quita_operator', poolSize: 2, clockOffsetMs: config.clockOffset });
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
    return db.system().transactional((tx) => addAudit(tx, entry));
  };
  let result: T;
  try {
    result = await work(db);
  } catch (error) {
    // A failure of the entry is ignored, because the operator has to read the failure of the command.
    await note(false).catch(() => undefined);
    throw error;
  }
  await note(true);
  return result;
}
