import { type Insertable, type NotNull, sql } from 'kysely';
import type { PaymentProviderName } from '../../../kernel/payment-providers.ts';
import { anyOf, NOW, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

const REFUND = [
  ...(['id', 'debtId', 'chargeId', 'kind', 'state', 'amountCentavos', 'reason', 'providerRefundId'] as const),
  ...(['contestUntil', 'tries', 'triedAt', 'createdAt'] as const),
] as const;

/** Returns what goes back of some payments, the oldest first. A caller that decides by it holds the locks of the debts. */
export const refundsOfCharges = (tx: Tx, chargeIds: readonly string[]) =>
  queriesIn(tx)
    .selectFrom('refunds')
    .select(REFUND)
    .where('chargeId', '=', anyOf(chargeIds, 'uuid'))
    .orderBy('createdAt')
    .orderBy('id')
    .execute();

export type Refund = Awaited<ReturnType<typeof refundsOfCharges>>[number];

type NewRefund = Pick<
  Insertable<Tables['refunds']>,
  | 'id'
  | 'clientId'
  | 'debtId'
  | 'chargeId'
  | 'kind'
  | 'state'
  | 'amountCentavos'
  | 'reason'
  | 'askedBy'
  | 'providerRefundId'
  | 'contestUntil'
  | 'askAt'
  | 'createdAt'
>;

/** Stores a refund, or a return of which a report tells; returns false when it is stored already. */
export async function insertRefund(tx: Tx, refund: NewRefund): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await queriesIn(tx)
    .insertInto('refunds')
    .values(refund)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

interface RefundChange {
  readonly state?: Refund['state'];
  readonly providerRefundId?: string;
  readonly contestUntil?: Date | null;
  readonly askAt?: Date | null;
  readonly failure?: string;
}

export const changeRefund = (tx: Tx, refundId: string, change: RefundChange) =>
  queriesIn(tx)
    .updateTable('refunds')
    .set({ ...change, updatedAt: NOW })
    .where('id', '=', refundId)
    .execute();

/** When a refund that is still pending is asked about again. */
export const askRefundAgain = (tx: Tx, refundId: string, askAt: Date) =>
  queriesIn(tx)
    .updateTable('refunds')
    .set({ askAt, updatedAt: NOW })
    .where('id', '=', refundId)
    .where('state', '=', 'pending')
    .execute();

/** The refunds of a debt's own payments, or those of an agreement. */
export type OwnerOfRefunds = { readonly debtId: string } | { readonly agreementId: string };

/**
 * Takes the refunds that are due, so that nobody else sends them before `leasedUntil`; one whose sender died is due again
 * then. The oldest comes first.
 */
export const takeDueRefunds = (tx: Tx, owner: OwnerOfRefunds, now: Date, leasedUntil: Date) =>
  queriesIn(tx)
    .updateTable('refunds')
    .from('charges')
    .set({
      askAt: leasedUntil,
      tries: sql<number>`refunds.tries + 1`,
      triedAt: sql<Date>`coalesce(refunds.tried_at, ${now}::timestamptz)`,
      updatedAt: NOW,
    })
    .whereRef('charges.id', '=', 'refunds.chargeId')
    .where('refunds.askAt', '<=', now)
    .where('charges.providerPaymentId', 'is not', null)
    .$if('debtId' in owner, (query) =>
      query
        .where('charges.debtId', '=', 'debtId' in owner ? owner.debtId : '')
        .where('charges.agreementId', 'is', null),
    )
    .$if('agreementId' in owner, (query) =>
      query.where('charges.agreementId', '=', 'agreementId' in owner ? owner.agreementId : ''),
    )
    .returning(REFUND.map((column) => `refunds.${column}` as const))
    .returning([
      'charges.debtId as debtOfCharge',
      'charges.provider',
      'charges.accountId',
      'charges.providerPaymentId',
      'charges.endToEndId',
    ])
    .$narrowType<{ providerPaymentId: NotNull; provider: PaymentProviderName }>()
    .execute();

export type TakenRefund = Awaited<ReturnType<typeof takeDueRefunds>>[number];

/** Returns whose refunds are due, of all clients, those that wait longest first. */
export const OWNERS_OF_DUE_REFUNDS = prepared(
  'owners_of_due_refunds',
  (queries, { dueBy, most }: { readonly dueBy: Date; readonly most: number }) =>
    queries
      .selectFrom('refunds')
      .innerJoin('charges', 'charges.id', 'refunds.chargeId')
      .select(['refunds.clientId', 'charges.debtId', 'charges.agreementId'])
      .select(({ fn }) => fn.min('refunds.askAt').as('since'))
      .where('refunds.askAt', '<=', dueBy)
      .groupBy(['refunds.clientId', 'charges.debtId', 'charges.agreementId'])
      .orderBy('since')
      .limit(most),
);

/** Whether the client wants what is more than was owed to be given back by itself. */
export const refundsExcess = async (tx: Tx, clientId: string): Promise<boolean> =>
  (
    await queriesIn(tx)
      .selectFrom('clients')
      .select('autoRefundExcess')
      .where('id', '=', clientId)
      .executeTakeFirstOrThrow()
  ).autoRefundExcess;
