import { readTemporalConfig } from '../../src/platform/config/temporal-config.ts';
import { startEmbeddedPostgres } from '../../src/platform/runtime/embedded-postgres.ts';
import { startEmbeddedTemporal } from '../../src/platform/runtime/embedded-temporal.ts';

/** A server that is started again when it dies, as `npm start` does. */
export interface KeptServer {
  pid(): number | undefined;
  stop(): Promise<void>;
}

export interface DatabaseServer extends KeptServer {
  /** The owner's URL. */
  readonly url: string;
}

export interface EngineServer extends KeptServer {
  readonly address: string;
  /** Every process of the engine; the development server has one. */
  processes(): readonly { readonly name: string; readonly pid: number | undefined }[];
}

type Log = (line: string) => void;

/** PostgreSQL on the folder. It writes to the disk as in production, because a crash must lose nothing. */
export const startDatabase = (folder: string, log: Log, durable = true): Promise<DatabaseServer> =>
  startEmbeddedPostgres({ dataDir: folder, log, durable });

/** Temporal's development server, as `npm start` runs it. */
export async function startDevelopmentEngine(folder: string, log: Log): Promise<EngineServer> {
  const { namespace, searchAttributes } = readTemporalConfig();
  const server = await startEmbeddedTemporal({
    dataDir: folder,
    port: 0,
    uiPort: 0,
    ui: false,
    namespace,
    searchAttributes,
    log,
  });
  return { ...server, processes: () => [{ name: 'temporal', pid: server.pid() }] };
}
