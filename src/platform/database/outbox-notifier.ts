import type { Pool } from 'pg';

export const OUTBOX_CHANNEL = 'outbox';
const COALESCE_MS = 10;

/**
 * Notifies the relays after a commit that the outbox has work. A NOTIFY inside the transaction would take a lock on the
 * whole database, and commits would wait for each other. A lost notification delays the work by one poll.
 */
export class OutboxNotifier {
  readonly #pool: () => Promise<Pool>;
  readonly #log: (message: string) => void;
  #failing = false;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(pool: () => Promise<Pool>, log: (message: string) => void) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Is called after the commit, or after a statement outside of a transaction has written a row. */
  readonly notify = (): void => {
    this.#timer ??= setTimeout(() => this.#send(), COALESCE_MS);
  };

  /** Sends a pending notification at once, because the pool is closed next. */
  async close(): Promise<void> {
    if (this.#timer !== undefined) this.#send();
    await this.#sending;
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending = this.#pool()
      // The pool of the API sends no other kind of statement, and refuses the command `notify`.
      .then((pool) => pool.query('select pg_notify($1, $2)', [OUTBOX_CHANNEL, '']))
      .then(
        () => {
          this.#failing = false;
        },
        // The work waits for the next poll, which nobody would notice. It is said once until it works again.
        (error: Error & { code?: string }) => {
          if (!this.#failing) this.#log(`the relays are not told of new work: ${error.code ?? error.name}`);
          this.#failing = true;
        },
      );
  }
}
