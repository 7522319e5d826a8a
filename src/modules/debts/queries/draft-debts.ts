import type { LocalDate } from '../../../kernel/calendar.ts';
import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { CREDITS_OF_DEBT } from './debt-context.ts';
import { PHONES_OF_DEBT } from './debt-phones.ts';

/** Due dates from a day up to and without another one; null for all after the first. */
export interface DueDates {
  readonly from: LocalDate;
  readonly until: LocalDate | null;
}

/** The open debts of campaigns that are not launched. A launched debt has taken its terms. */
function debtsOfDrafts(tx: Tx, clientId: string, { from, until }: DueDates) {
  const debts = queriesIn(tx)
    .selectFrom('debts')
    .innerJoin('campaigns', 'campaigns.id', 'debts.campaignId')
    .where('campaigns.clientId', '=', clientId)
    .where('campaigns.status', '=', 'DRAFT')
    .where('debts.continuedBy', 'is', null)
    .where('debts.status', 'not in', ['STOPPED', 'PAID'])
    .where('debts.dueDate', '>=', from);
  return until === null ? debts : debts.where('debts.dueDate', '<', until);
}

/** Returns how many debts of each draft fall due on these days, and their original amounts together. */
export const countDraftDebts = (tx: Tx, clientId: string, dueDates: DueDates) =>
  debtsOfDrafts(tx, clientId, dueDates)
    .select((row) => [
      'campaigns.id',
      'campaigns.name',
      row.fn.countAll<number>().as('count'),
      row.fn.sum<number>('debts.originalAmountCentavos').as('principalCentavos'),
    ])
    .groupBy(['campaigns.id', 'campaigns.name'])
    .orderBy('count', 'desc')
    .orderBy('campaigns.id')
    .execute();

/** Returns the next debts of a draft by their positions, with what decides how much is owed of them. */
export const nextDraftDebts = (
  tx: Tx,
  clientId: string,
  dueDates: DueDates,
  { campaignId, after, limit }: { readonly campaignId: string; readonly after: number; readonly limit: number },
) =>
  debtsOfDrafts(tx, clientId, dueDates)
    .select(['debts.position', 'debts.originalAmountCentavos as amountCentavos', 'debts.dueDate', 'debts.debtorPhone'])
    .select(['debts.clockOffsetMs', PHONES_OF_DEBT.as('phones'), CREDITS_OF_DEBT.as('credits')])
    // The index of these two columns has the debts of one campaign in this order.
    .where('debts.campaignId', '=', campaignId)
    .where('debts.position', '>', after)
    .orderBy('debts.position')
    .limit(limit)
    .execute();
