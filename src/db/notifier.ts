import type { EntityManager, EventSubscriber, Transaction, TransactionEventArgs } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';

export const OUTBOX_CHANNEL = 'outbox';
const COALESCE_MS = 10;

/**
 * Tells the relays, after the commit, that the outbox has work. Never inside the transaction: PostgreSQL takes a lock
 * of the whole database for it, and commits would queue up behind each other. A lost one costs one poll.
 */
export class OutboxNotifier implements EventSubscriber {
  readonly #pool: () => Promise<Pool>;
  /** Savepoints are transactions to MikroORM: the outermost one of each. */
  readonly #outermost = new WeakMap<Transaction, Transaction>();
  readonly #parent = new WeakMap<object, Transaction>();
  readonly #marked = new WeakSet<Transaction>();
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(pool: () => Promise<Pool>) {
    this.#pool = pool;
  }

  /** For a row written by a statement of its own, after it returned. */
  notify(): void {
    this.#timer ??= setTimeout(() => this.#send(), COALESCE_MS);
  }

  /**
   * For a row written in the transaction of `em`: notifies once that is committed, not at all when it is rolled back.
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

  /** Sends what is due at once, so that closing the pool does not lose it. */
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
