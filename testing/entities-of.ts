import type { EntityManager } from '@mikro-orm/postgresql';
import type { Tx } from '../src/platform/database/tx.ts';

/** The ORM behind a transaction, with which tests read and write entities. The product sends statements alone. */
export const entitiesOf = (tx: Tx): EntityManager => tx as unknown as EntityManager;
