import { AsyncLocalStorage } from 'node:async_hooks';
import { EntityManager } from '@mikro-orm/postgresql';
import { Pool } from 'pg';

/**
 * Sees where code of this process takes a connection while it has a transaction open. As many such calls at once as the
 * pool has connections wait for each other, and nobody else is served meanwhile.
 */
export function watchSecondConnections() {
  const transactions = new AsyncLocalStorage<{ isOpen: boolean }>();
  const { transactional } = EntityManager.prototype;
  const { connect } = Pool.prototype;
  const taken: string[] = [];

  EntityManager.prototype.transactional = async function <T>(
    this: EntityManager,
    work: (em: EntityManager) => T | Promise<T>,
    options?: Parameters<typeof transactional>[1],
  ): Promise<T> {
    // What is left to run after the commit, as the notice to the relays, holds no connection any more.
    const transaction = { isOpen: true };
    try {
      const answer = await transactional.call(this, (em) => transactions.run(transaction, () => work(em)), options);
      return answer as T;
    } finally {
      transaction.isOpen = false;
    }
  } as typeof transactional;
  Pool.prototype.connect = function (this: Pool, ...given: Parameters<typeof connect>) {
    if (transactions.getStore()?.isOpen === true) taken.push(new Error('a second connection').stack ?? '');
    return connect.apply(this, given);
  } as typeof connect;

  return {
    /** The stack of each such call. */
    taken: taken as readonly string[],
    stop: () => {
      EntityManager.prototype.transactional = transactional;
      Pool.prototype.connect = connect;
    },
  };
}
