import { type QueryCreator, type RawBuilder, sql } from 'kysely';
import { prepared, type Tables } from '../../../platform/database/queries/builder.ts';
import { takePauseLocks } from '../../accounts/queries/pause-locks.ts';
import { takeDebtLocks } from '../../debts/queries/debt-locks.ts';
import { takeNameLocks } from '../../messaging/queries/contact-ledger.ts';

interface Locked {
  /** Of persons and phones: see `lockNamesOf`. */
  readonly names: readonly string[];
  readonly campaignAndClientIds: readonly string[];
  readonly debtIds: readonly string[];
}

const isTaken = (locks: 'persons' | 'pauses'): RawBuilder<boolean> =>
  sql`(select count(*) from ${sql.table(locks)}) >= 0`;

/**
 * Takes the locks of a contact in the order in which every transaction takes them: persons and phones, the shared ones that
 * hold a pause back, the rows of the debts. PostgreSQL counts what a condition without columns counts before it reads
 * any row. It is a statement of its own, so that the next one sees what was committed while the locks were waited for.
 */
export const lockContact = prepared('contact_lock', (queries, { names, campaignAndClientIds, debtIds }: Locked) =>
  takeDebtLocks(
    (queries as QueryCreator<Tables>)
      .with(
        (cte) => cte('persons').materialized(),
        (from) => takeNameLocks(from, names),
      )
      .with(
        (cte) => cte('pauses').materialized(),
        (from) => takePauseLocks(from, campaignAndClientIds).where(isTaken('persons')),
      ),
    debtIds,
  ).where(isTaken('pauses')),
);
