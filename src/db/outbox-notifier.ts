import type { EntityManager, EventSubscriber, Transaction, TransactionEventArgs } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';

export const OUTBOX_CHANNEL = 'outbox';
const COALESCE_MS = 10;

/**
 * Notifies the relays after a commit that the outbox has work. A NOTIFY inside the transaction would take a lock on the
 * whole database, and commits would wait for each other. A lost notification delays the work by one poll.
 */
export class OutboxNotifier implements EventSubscriber {
  readonly #pool: () => Promise<Pool>;
  /** The outermost transaction of each one, because MikroORM treats savepoints as transactions. */
  readonly #outermost = new WeakMap<Transaction, Transaction>();
  readonly #parent = new WeakMap<object, Transaction>();
  readonly #marked = new WeakSet<Transaction>();
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(pool: () => Promise<Pool>) {
    this.#pool = pool;
  }

  /** Is called after a statement outside of a transaction has written a row. */
  notify(): void {
    this.#timer ??= setTimeout(() => this.#send(), COALESCE_MS);
  }

  /**
   * Is called for a row that the transaction of `em` wrote. It notifies after the commit, and not after a rollback.
   */
  notifyAfterCommit(em: EntityManager): void {
    const transaction = em.getTransactionContext<Transaction>();
    if (transaction === undefined) throw new Error('The outbox is written inside em.transactional only');
    this.#marked.add(this.#outermost.get(transaction) ?? transaction);
  }

  beforeTransactionStart({ em, transaction }: TransactionEventArgs): void {
    if (transaction !== undefined) this.#parent.set(em, transaction);
  }

  afterTransactionStart({ em, transaction }: TransactionEventArgs): void {
    const parent = this.#parent.get(em);
    if (transaction === undefined || parent === undefined || transaction.savepointName === undefined) return;
    this.#outermost.set(transaction, this.#outermost.get(parent) ?? parent);
  }

  afterTransactionCommit({ transaction }: TransactionEventArgs): void {
    if (transaction !== undefined && this.#marked.delete(transaction)) this.notify();
  }

  /** Sends a pending notification at once, because the pool is closed next. */
  async close(): Promise<void> {
    if (this.#timer !== undefined) this.#send();
    await this.#sending;
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending = this.#pool()
      .then((pool) => pool.query(`notify ${OUTBOX_CHANNEL}`))
      .then(
        () => {},
        () => {},
      );
  }
}
