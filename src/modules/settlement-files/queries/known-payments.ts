import { sql } from 'kysely';
import { anyOf, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/** Returns the payments that a file or a bank told of before. */
export const receivedByKey = (tx: Tx, clientId: string, keys: readonly string[]) =>
  queriesIn(tx)
    .selectFrom('received_payments')
    .select(['id', 'key', 'state', 'doubt', 'debtId', 'chargeId'])
    .where('clientId', '=', clientId)
    .where('key', '=', anyOf(keys, 'text'))
    .execute();

const payments = (tx: Tx) =>
  queriesIn(tx)
    .selectFrom('charges')
    .innerJoin('debts', 'debts.id', 'charges.debtId')
    .leftJoin('received_payments', 'received_payments.chargeId', 'charges.id')
    .select(['charges.paidCentavos', 'charges.endToEndId', 'debts.identityId as bookedOn'])
    .select(['received_payments.key', 'received_payments.invoiceId'])
    .select(sql<Date>`coalesce(charges.paid_at, charges.approved_at, charges.underpaid_at)`.as('paidAt'))
    .where('charges.paidCentavos', '>', 0)
    // What a debt gets of an agreement is no payment of its own.
    .where('charges.partOf', 'is', null);

export type FoundPayment = Awaited<ReturnType<typeof recordedPayments>>[number];

/**
 * Returns the payments that are recorded about debts, by whichever of their rows, and about all agreements that the debts
 * have or had. A payment of an agreement is returned for each of these debts, with the one on which it is booked.
 */
export async function recordedPayments(tx: Tx, identityIds: readonly string[]) {
  const ofDebts = await payments(tx)
    .select('debts.identityId')
    .where('debts.identityId', '=', anyOf(identityIds, 'uuid'))
    .where('charges.agreementId', 'is', null)
    .execute();
  const ofAgreements = await payments(tx)
    .innerJoin('agreement_debts', 'agreement_debts.agreementId', 'charges.agreementId')
    .innerJoin('debts as agreed', 'agreed.id', 'agreement_debts.debtId')
    .select('agreed.identityId')
    .where('agreed.identityId', '=', anyOf(identityIds, 'uuid'))
    .execute();
  return [...ofDebts, ...ofAgreements];
}

/**
 * The codes of a client. About an unpaid one that is never asked about again only a file can tell, so that its payment is
 * one like any other.
 */
const ownCharges = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .selectFrom('charges')
    .select(['id', 'debtId', 'providerPaymentKey', 'endToEndId', 'paidCentavos'])
    .where('clientId', '=', clientId)
    .where('provider', '<>', 'outside')
    .where('partOf', 'is', null)
    .where(({ or, eb }) =>
      or([eb('paidCentavos', '>', 0), eb('askAt', 'is not', null), eb('endToEndId', 'is not', null)]),
    );

export const chargesByTxid = (tx: Tx, clientId: string, txids: readonly string[]) =>
  ownCharges(tx, clientId).where('providerPaymentKey', '=', anyOf(txids, 'text')).execute();

export const chargesByEndToEndId = (tx: Tx, clientId: string, endToEndIds: readonly string[]) =>
  ownCharges(tx, clientId).where('endToEndId', '=', anyOf(endToEndIds, 'text')).execute();

/** Has the provider asked about codes as soon as possible: a statement says that they were paid. */
export const askSoon = (tx: Tx, chargeIds: readonly string[]) =>
  queriesIn(tx)
    .updateTable('charges')
    .set({ askAt: sql<Date>`least(ask_at, quita_now())` })
    .where('id', '=', anyOf(chargeIds, 'uuid'))
    .where('askAt', 'is not', null)
    .execute();
