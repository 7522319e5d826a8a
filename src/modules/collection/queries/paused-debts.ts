import { sql } from 'kysely';
import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/**
 * Returns debts that stopped at a pause which has ended since, over all clients; the longest-waiting debts first. A debt
 * whose hours leave no opening is woken by the change of its settings, and once a week in case the policy has changed.
 */
export const resumableDebts = (tx: Tx, limit: number) =>
  queriesIn(tx)
    .selectFrom('debts')
    .innerJoin('campaigns', 'campaigns.id', 'debts.campaignId')
    .innerJoin('clients', 'clients.id', 'debts.clientId')
    .select(['debts.id', 'debts.clientId', 'debts.campaignId', 'debts.sandbox', 'debts.clockOffsetMs'])
    .where('debts.pausedAt', 'is not', null)
    .where('campaigns.status', '=', 'RUNNING')
    .where('clients.status', 'in', ['ONBOARDING', 'ACTIVE'])
    .where((row) => row.or([row('debts.sandbox', '=', true), row('clients.verifiedAt', 'is not', null)]))
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb('debts.pausedAt', '<', sql<Date>`quita_now() - interval '7 days'`),
        not(
          exists(
            selectFrom('inbox_items')
              .select('inbox_items.id')
              .whereRef('inbox_items.debtId', '=', 'debts.id')
              .where('inbox_items.reason', '=', 'settings')
              .where('inbox_items.closedAt', 'is', null),
          ),
        ),
      ]),
    )
    .orderBy('debts.pausedAt')
    .limit(limit)
    .execute();
