import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { nameOfMember } from '../../accounts/queries/member-names.ts';
import { idsOfRows } from '../../debts/queries/debts.ts';

/** A debt has few payments; more than so many are not listed. */
const MOST = 500;

/**
 * Returns the payments of all rows of a debt, the latest first: codes that a provider made, money that came elsewhere, and
 * the money of its agreements. What the debt gets of an agreement's payment is not one of its own.
 */
export const paymentsOfDebt = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .selectFrom('charges')
    .leftJoin('receipts', 'receipts.chargeId', 'charges.id')
    .select([
      'charges.id',
      'charges.debtId',
      'charges.agreementId',
      'charges.instalment',
      'charges.provider',
      'charges.accountId',
      'charges.providerPaymentId',
      'charges.status',
      'charges.amountCentavos',
      'charges.paidCentavos',
      'charges.refundedCentavos',
      'charges.chargedBackAt',
      'charges.underpaidAt',
      'charges.duplicate',
      'charges.paidAt',
      'charges.method',
      'charges.endToEndId',
      'charges.createdAt',
      'receipts.protocol as receiptProtocol',
      'charges.memberId',
    ])
    .select(nameOfMember('charges.member_id').as('memberName'))
    .where((charge) => {
      const rows = idsOfRows(debtId);
      return charge.or([
        charge('charges.debtId', 'in', rows),
        charge('charges.agreementId', 'in', ({ selectFrom }) =>
          selectFrom('agreement_debts')
            .select('agreement_debts.agreementId')
            .where('agreement_debts.debtId', 'in', rows),
        ),
      ]);
    })
    .where('charges.partOf', 'is', null)
    .where(({ or, eb }) => or([eb('charges.providerPaymentId', 'is not', null), eb('charges.paidCentavos', '>', 0)]))
    .orderBy('charges.createdAt', 'desc')
    .orderBy('charges.attempt', 'desc')
    .orderBy('charges.id')
    .limit(MOST)
    .execute();

export type PaymentRow = Awaited<ReturnType<typeof paymentsOfDebt>>[number];

/** Returns the valid receipts of the parts that were paid of a debt, by whichever of its rows, the oldest first. */
export const receiptsOfParts = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .selectFrom('receipts')
    .innerJoin('charges', 'charges.id', 'receipts.chargeId')
    .select(['receipts.protocol', 'charges.paidCentavos'])
    .where('charges.debtId', 'in', idsOfRows(debtId))
    .where('receipts.kind', '=', 'part')
    .where('receipts.pdf', 'is not', null)
    .where((receipt) =>
      receipt.or([receipt('receipts.revokedAt', 'is', null), receipt('receipts.restoredAt', 'is not', null)]),
    )
    .orderBy('receipts.issuedAt')
    .orderBy('receipts.id')
    .execute();
