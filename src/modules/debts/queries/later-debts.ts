import { sql } from 'kysely';
import { LIVE_DEBT_STATUSES, RUNNING_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { anyOf, queriesIn } from '../../../platform/database/queries/builder.ts';
import { isRow } from '../../../platform/database/queries/is-row.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** A debt that is not overdue by its own clock waits for a reminder, or for the day after its due date. */
const IS_OVERDUE = sql<boolean>`other.due_date < ((quita_now() + make_interval(secs => other.clock_offset_ms / 1000.0))
  at time zone 'America/Sao_Paulo')::date`;

/**
 * Returns when the persons of the given debts next get a message that collects other debts, for each debt whose person
 * does. What a bill waits for that is not overdue, or a debt whose sequence is used up, is no such message.
 */
export async function nextContactsOfPersons(
  tx: Tx,
  debtIds: readonly string[],
  others: {
    /** How many contacts a campaign makes that has no sequence of its own. */
    readonly steps: number;
    /** Only debts about which a message that collects was sent already. */
    readonly begun: boolean;
  },
): Promise<ReadonlyMap<string, Date>> {
  const rows = await queriesIn(tx)
    .selectFrom('debts as fresh')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('debts as other')
          .innerJoin('campaigns', 'campaigns.id', 'other.campaignId')
          .select(({ fn }) => fn.min('other.nextContactAt').as('at'))
          .where(({ ref }) =>
            isRow([ref('other.debtorTaxId'), ref('other.clientId')], [ref('fresh.debtorTaxId'), ref('fresh.clientId')]),
          )
          .whereRef('other.sandbox', '=', 'fresh.sandbox')
          .whereRef('other.id', '<>', 'fresh.id')
          .where('other.status', 'in', LIVE_DEBT_STATUSES)
          .where('campaigns.status', '=', 'RUNNING')
          .where('other.pausedAt', 'is', null)
          .where(IS_OVERDUE)
          .where('other.step', '>=', others.begun ? 1 : 0)
          .where('other.step', '<', sql<number>`coalesce(jsonb_array_length(campaigns.sequence), ${others.steps}::int)`)
          .as('others'),
      (join) => join.onTrue(),
    )
    .select(['fresh.id as debtId', 'others.at'])
    .where('fresh.id', '=', anyOf(debtIds, 'uuid'))
    .where('others.at', 'is not', null)
    .execute();
  return new Map(rows.flatMap(({ debtId, at }) => (at === null ? [] : [[debtId, at] as const])));
}

/**
 * The debts of a campaign in the sandbox whose workflow waits: of those that are being collected, those that wait for
 * somebody's decision, and paid ones whose receipt is to be sent.
 */
export const sandboxDebtsWithClocks = (tx: Tx, campaignId: string) =>
  queriesIn(tx)
    .selectFrom('debts')
    .select(['id', 'clientId', 'campaignId', 'sandbox', 'clockOffsetMs', 'agreementId', 'status'])
    .where('campaignId', '=', campaignId)
    .where('sandbox', '=', true)
    .where(({ and, eb, exists, or, selectFrom }) =>
      or([
        eb('status', 'in', [...RUNNING_DEBT_STATUSES, 'ON_HOLD', 'DISPUTED']),
        and([
          eb('status', '=', 'PAID'),
          exists(
            selectFrom('receipt_deliveries')
              .select('receipt_deliveries.id')
              .whereRef('receipt_deliveries.debtId', '=', 'debts.id')
              .where('receipt_deliveries.state', '=', 'waiting'),
          ),
        ]),
      ]),
    )
    .execute();
