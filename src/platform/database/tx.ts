import type { EntityManager, TransactionOptions } from '@mikro-orm/postgresql';

/**
 * The transaction in which statements run, with the client whose rows it may see. `Database` gives it, and its
 * `transactional` opens it; `queriesIn` refuses one that is not open. It is all that the code knows of the ORM.
 */
export type Tx = Pick<EntityManager, 'config' | 'getKysely' | 'getTransactionContext' | 'isInTransaction'> & {
  transactional<Result>(work: (tx: Tx) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
};
