import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { DebtStatus } from '../../../kernel/debt-status.ts';
import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { ResumedAfter } from '../../policy/rules/collection-sequence.ts';

/** The statuses in which a debt waits for a decision of the staff. */
const HELD: readonly DebtStatus[] = ['DISPUTED', 'ON_HOLD'];

/**
 * Returns what the staff have decided about since the last contact, by which the debt was held; null when they have
 * decided nothing. The reason of the last item that a hold had in the inbox says why the debt was on hold.
 */
export async function resumedAfter(em: EntityManager, debtId: string): Promise<ResumedAfter | null> {
  const row = await queriesIn(em)
    .selectFrom('debt_events')
    .select(sql<DebtStatus>`data ->> 'from'`.as('from'))
    .select(({ selectFrom }) =>
      selectFrom('inbox_items')
        .select('reason')
        .where('debtId', '=', debtId)
        .where('closedAt', 'is not', null)
        .where('reason', 'not in', ['attachment', 'duplicate', 'refunded', 'undelivered', 'settings'])
        .orderBy('closedAt', 'desc')
        .limit(1)
        .as('reason'),
    )
    .where('debtId', '=', debtId)
    .where('kind', '=', 'status_changed')
    .where('seq', '>', ({ fn, selectFrom }) =>
      fn.coalesce(
        selectFrom('debt_events as contact')
          .select(({ fn }) => fn.max('contact.seq').as('seq'))
          .where('contact.debtId', '=', debtId)
          .where('contact.kind', '=', 'verdict')
          .where(sql<boolean>`contact.data -> 'allowed' = 'true'::jsonb`),
        sql.lit(0),
      ),
    )
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined || !HELD.includes(row.from)) return null;
  if (row.from === 'DISPUTED') return 'dispute';
  return String(row.reason) === 'said_paid' ? 'said_paid' : 'other';
}
