import { sql } from 'kysely';
import { NOW, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { CONTACT_PURPOSES } from '../../policy/rules/contact-policy.ts';
import type { EndedDebt } from '../rules/restart-term.ts';

/** Returns what decides when a debt that has ended may be begun again, with the last contact about any of its rows. */
export async function endedDebt(tx: Tx, debtId: string): Promise<EndedDebt> {
  const { restartedAt, endCorrectedAt } = await queriesIn(tx)
    .selectFrom('debts')
    .select(['restartedAt', 'endCorrectedAt'])
    .where('id', '=', debtId)
    .executeTakeFirstOrThrow();
  const { lastContactAt } = await queriesIn(tx)
    // Under row security a comparison with `->>`, which is not leakproof, reaches no index, so the ids are read first.
    .with(
      (cte) => cte('entries').materialized(),
      (from) =>
        from
          .selectFrom('debts as named')
          .innerJoin('debts as row', 'row.identityId', 'named.identityId')
          .innerJoin('debt_events', 'debt_events.debtId', 'row.id')
          .select('debt_events.at')
          .select(sql<string | null>`(debt_events.data ->> 'messageId')::uuid`.as('messageId'))
          .where('named.id', '=', debtId)
          .where('debt_events.kind', '=', 'message_sent'),
    )
    .selectFrom('entries')
    .innerJoin('messages', 'messages.id', 'entries.messageId')
    .select(({ fn }) => fn.max('entries.at').as('lastContactAt'))
    .where('messages.purpose', 'in', CONTACT_PURPOSES)
    .where('messages.delivery', '<>', 'failed')
    .executeTakeFirstOrThrow();
  return { lastContactAt, restartedAt, endCorrectedAt };
}

/** The next contact is the first one of a new sequence. */
export const setRestarted = (tx: Tx, debtId: string, at: Date) =>
  queriesIn(tx)
    .updateTable('debts')
    .set({ step: 0, restartedAt: at, endCorrectedAt: null, nextContactAt: null, updatedAt: NOW })
    .where('id', '=', debtId)
    .execute();

/** Null: what the client has corrected since has brought the cause of the end back. */
export const setEndCorrected = (tx: Tx, debtId: string, at: Date | null) =>
  queriesIn(tx).updateTable('debts').set({ endCorrectedAt: at, updatedAt: NOW }).where('id', '=', debtId).execute();
