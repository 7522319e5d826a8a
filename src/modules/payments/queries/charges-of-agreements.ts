import { type Insertable, sql } from 'kysely';
import type { PaymentStatus } from '../../../kernel/payment-status.ts';
import { NOW, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { CHARGE, type Charge, nextAttempt, selectCharges } from './charges.ts';

/** Returns the codes and the money of an agreement, the latest first. */
export const chargesOfAgreement = (tx: Tx, agreementId: string): Promise<Charge[]> =>
  selectCharges(queriesIn(tx)).where('agreementId', '=', agreementId).execute();

/**
 * Returns the status of what happened last to an agreement, a payment or a code that was made; null before both. The
 * routine `checkout_states` answers the same.
 */
export async function latestStatusOfAgreement(tx: Tx, agreementId: string): Promise<PaymentStatus | null> {
  const row = await queriesIn(tx)
    .selectFrom('charges')
    .select('status')
    .where('agreementId', '=', agreementId)
    .where(({ or, eb }) => or([eb('providerPaymentId', 'is not', null), eb('approvedAt', 'is not', null)]))
    .orderBy(sql`coalesce(approved_at, created_at)`, 'desc')
    .orderBy('attempt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.status ?? null;
}

/** Makes a charge one of an agreement: an old code of one of its debts was paid, or asks for what it replaced. */
export const setAgreementOfCharge = (tx: Tx, chargeId: string, agreementId: string) =>
  queriesIn(tx).updateTable('charges').set({ agreementId, updatedAt: NOW }).where('id', '=', chargeId).execute();

/** Returns what the debts got of the money of an agreement, in the order in which they got it. */
export const partsOfAgreement = (tx: Tx, agreementId: string): Promise<Charge[]> =>
  queriesIn(tx)
    .selectFrom('charges')
    .select(CHARGE)
    .where('partOf', 'in', ({ selectFrom }) =>
      selectFrom('charges as paid').select('paid.id').where('paid.agreementId', '=', agreementId),
    )
    .orderBy('createdAt')
    .orderBy('attempt')
    .orderBy('id')
    .execute();

type NewPart = Pick<Insertable<Tables['charges']>, 'id' | 'clientId' | 'debtId' | 'amountCentavos' | 'createdAt'> & {
  readonly partOf: string;
  readonly paidAt: Date;
};

/** Stores what a debt gets of a payment by an agreement. Like any payment it counts once it is confirmed. */
export const insertPart = (tx: Tx, { paidAt, ...part }: NewPart): Promise<Charge> =>
  queriesIn(tx)
    .insertInto('charges')
    .values({
      ...part,
      attempt: nextAttempt(part.debtId),
      provider: 'agreement',
      status: 'PENDING',
      // Nothing can be paid by it.
      expiresAt: paidAt,
    })
    .returning(CHARGE)
    .executeTakeFirstOrThrow();
