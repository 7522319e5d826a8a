import type { EventSubscriber, Transaction, TransactionEventArgs } from '@mikro-orm/postgresql';
import type { Tx } from './tx.ts';

/** Runs actions once the transaction that asked for them has committed, and never after a rollback. */
export class AfterCommit implements EventSubscriber {
  /** The outermost transaction of each one, because MikroORM treats savepoints as transactions. */
  readonly #outermost = new WeakMap<Transaction, Transaction>();
  readonly #parent = new WeakMap<object, Transaction>();
  readonly #actions = new WeakMap<Transaction, (() => void)[]>();

  add(tx: Tx, action: () => void): void {
    const transaction = tx.getTransactionContext<Transaction>();
    if (transaction === undefined) throw new Error('This is called inside tx.transactional only');
    const outermost = this.#outermost.get(transaction) ?? transaction;
    const actions = this.#actions.get(outermost);
    if (actions === undefined) this.#actions.set(outermost, [action]);
    else actions.push(action);
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
    if (transaction === undefined) return;
    for (const action of this.#actions.get(transaction) ?? []) action();
    this.#actions.delete(transaction);
  }
}
