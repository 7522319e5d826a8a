import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { SETTLES } from '../../debts/queries/receipt-of-debt.ts';
import { IS_PART, PAYS_AGREEMENT } from './settled-payments.ts';

interface Search {
  readonly paidFrom: Date;
  readonly paidTo: Date;
  readonly limit: number;
}

/** Returns debts of all clients with a payment that was confirmed between these moments and has no issued receipt. */
export async function debtsWithoutReceipt(tx: Tx, { paidFrom, paidTo, limit }: Search) {
  const debts = unreceiptedDebts(tx, limit);
  // Each of both statements has an index of its own.
  const settled = await debts
    .where(({ between }) => between('charges.approvedAt', paidFrom, paidTo))
    .where(SETTLES)
    .execute();
  const parts = await debts
    .where(({ between }) => between('charges.underpaidAt', paidFrom, paidTo))
    .where(IS_PART)
    .where('debts.erasedAt', 'is', null)
    .execute();
  return [...new Map([...settled, ...parts].map((debt) => [debt.id, debt])).values()].slice(0, limit);
}

/** Returns agreements of all clients with a payment that was confirmed between these moments and has no issued receipt. */
export const agreementsWithoutReceipt = (tx: Tx, { paidFrom, paidTo, limit }: Search) =>
  queriesIn(tx)
    .selectFrom('charges')
    .innerJoin('agreements', 'agreements.id', 'charges.agreementId')
    .innerJoin('debts', 'debts.id', 'charges.debtId')
    .innerJoin('agreement_debts', 'agreement_debts.agreementId', 'agreements.id')
    .innerJoin('debts as shared', 'shared.id', 'agreement_debts.debtId')
    .leftJoin('receipts', 'receipts.chargeId', 'charges.id')
    .select(['agreements.id', 'agreements.clientId', 'agreements.sandbox'])
    .select(({ fn }) => fn.max('shared.clockOffsetMs').as('clockOffsetMs'))
    .where(({ between }) => between('charges.approvedAt', paidFrom, paidTo))
    .where(PAYS_AGREEMENT)
    .where('debts.erasedAt', 'is', null)
    .where('receipts.pdf', 'is', null)
    .where('receipts.shortenedAt', 'is', null)
    .groupBy('agreements.id')
    .limit(limit)
    .execute();

const unreceiptedDebts = (tx: Tx, limit: number) =>
  queriesIn(tx)
    .selectFrom('charges')
    .innerJoin('debts', 'debts.id', 'charges.debtId')
    .leftJoin('receipts', 'receipts.chargeId', 'charges.id')
    .select(['debts.id', 'debts.clientId', 'debts.campaignId', 'debts.sandbox', 'debts.clockOffsetMs'])
    .distinct()
    .where('receipts.pdf', 'is', null)
    .where('receipts.shortenedAt', 'is', null)
    .limit(limit);
