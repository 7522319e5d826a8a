import { Readable } from 'node:stream';
import { Client, type Connection, type Submittable } from 'pg';
import { BACKUP_LOGIN } from '../postgres-cluster.ts';

/**
 * `WAL` adds the log that is needed to make the copied files consistent, so that the copy starts without an archive. A
 * fast checkpoint begins at once.
 */
const BASE_BACKUP = "BASE_BACKUP (LABEL 'quita', CHECKPOINT 'fast', WAL true, MANIFEST 'no')";
/** The server keeps its log from here until the session ends; otherwise a long copy could lose what it needs. */
const KEEP_WAL = 'CREATE_REPLICATION_SLOT quita_backup TEMPORARY PHYSICAL RESERVE_WAL';

/** The first byte of a message of the copy says what follows. */
const NEW_ARCHIVE = 'n'.charCodeAt(0);
const DATA = 'd'.charCodeAt(0);
const BUFFERED_BYTES = 1 << 20;

/** The answer to BASE_BACKUP as a stream of one tar archive without its end. */
class BaseBackup extends Readable implements Submittable {
  private connection: Connection | undefined;
  private archives = 0;

  constructor() {
    super({ highWaterMark: BUFFERED_BYTES });
  }

  submit(connection: Connection): void {
    this.connection = connection;
    connection.query(BASE_BACKUP);
  }

  override _read(): void {
    this.connection?.stream.resume();
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const kind = chunk[0];
    if (kind === NEW_ARCHIVE) {
      this.archives += 1;
      if (this.archives > 1) this.destroy(new Error('PostgreSQL has tablespaces of its own, which are not backed up'));
    } else if (kind === DATA && !this.push(Buffer.from(chunk.subarray(1)))) {
      // The bytes are copied, because the driver uses its buffer again.
      this.connection?.stream.pause();
    }
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.push(null);
  }

  handleError(error: Error): void {
    this.destroy(error);
  }
}

/** Gives the files of the whole cluster, consistent at the end of the stream, while the server goes on working. */
export const withBaseBackup = async <T>(
  server: { readonly port: number; readonly password: string },
  use: (tar: Readable) => Promise<T>,
): Promise<T> => {
  const url = new URL(`postgresql://${BACKUP_LOGIN}:${server.password}@127.0.0.1:${server.port}/`);
  url.searchParams.set('replication', 'true');
  const client = new Client({ connectionString: url.href, application_name: 'quita backup' });
  // A lost connection also fails the copy; without a listener it would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(KEEP_WAL);
    return await use(client.query(new BaseBackup()));
  } finally {
    await client.end().catch(() => {});
  }
};
