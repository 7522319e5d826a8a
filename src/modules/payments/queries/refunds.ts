import { type Insertable, type Kysely, type NotNull, sql } from 'kysely';
import type { PaymentProviderName } from '../../../kernel/payment-providers.ts';
import { anyOf, NOW, prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { nameOfMember } from '../../accounts/queries/member-names.ts';

const REFUND = [
  ...(['id', 'debtId', 'chargeId', 'kind', 'state', 'amountCentavos', 'reason', 'providerRefundId'] as const),
  ...(['contestUntil', 'tries', 'triedAt', 'failure', 'createdAt', 'memberId'] as const),
] as const;

/** Returns what goes back of some payments, the oldest first. A caller that decides by it holds the locks of the debts. */
export const refundsOfCharges = (tx: Tx, chargeIds: readonly string[]) =>
  queriesIn(tx)
    .selectFrom('refunds')
    .select(REFUND)
    .select(nameOfMember('refunds.member_id').as('memberName'))
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
  readonly failure?: Refund['failure'];
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

/**
 * Of the refunds of one payment that no provider has answered for, one is under way at a time: the trace of a lost answer
 * is then known before another refund of the same amount is sent.
 */
const ITS_TURN = sql<boolean>`refunds.ask_at is not null and (refunds.provider_refund_id is not null or not exists (
  select from refunds earlier where earlier.charge_id = refunds.charge_id and earlier.ask_at is not null
    and earlier.provider_refund_id is null and (earlier.created_at, earlier.id) < (refunds.created_at, refunds.id)))`;

/** Payments with refunds that are due. */
const due = (queries: Kysely<Tables>, dueBy: Date) =>
  queries
    .selectFrom('refunds')
    .innerJoin('charges', 'charges.id', 'refunds.chargeId')
    .select(['refunds.clientId', 'refunds.chargeId', 'charges.debtId'])
    .where('refunds.askAt', '<=', dueBy)
    .where(ITS_TURN)
    .where('charges.providerPaymentId', 'is not', null)
    .groupBy(['refunds.clientId', 'refunds.chargeId', 'charges.id']);

/** Those of an agreement are its own. */
export const DUE_REFUNDS_OF_DEBT = prepared(
  'due_refunds_of_debt',
  (queries, params: { readonly debtId: string; readonly dueBy: Date }) =>
    due(queries, params.dueBy).where('charges.debtId', '=', params.debtId).where('charges.agreementId', 'is', null),
);

export const DUE_REFUNDS_OF_AGREEMENT = prepared(
  'due_refunds_of_agreement',
  (queries, params: { readonly agreementId: string; readonly dueBy: Date }) =>
    due(queries, params.dueBy).where('charges.agreementId', '=', params.agreementId),
);

/**
 * Of all clients. The clients take turns, so that the many refunds of one delay those of another by little. An account
 * that does not answer is left out until the moment of its next question.
 */
export const DUE_REFUNDS = prepared('due_refunds', (queries, params: { readonly dueBy: Date; readonly most: number }) =>
  queries
    .selectFrom(
      due(queries, params.dueBy)
        .select(['charges.provider', 'charges.accountId'])
        .select(({ fn }) => fn.min('refunds.askAt').as('since'))
        .select(
          sql<number>`row_number() over (partition by refunds.client_id order by min(refunds.ask_at))`.as('place'),
        )
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom('client_credentials')
                .select('client_credentials.id')
                .whereRef('client_credentials.clientId', '=', 'charges.clientId')
                .where(sql<boolean>`client_credentials.purpose = charges.provider`)
                .whereRef('client_credentials.accountId', '=', 'charges.accountId')
                .where('client_credentials.askFrom', '>', params.dueBy),
            ),
          ),
        )
        .as('due'),
    )
    .select(['clientId', 'chargeId', 'debtId', 'accountId', 'provider'])
    .$narrowType<{ provider: PaymentProviderName }>()
    .orderBy('place')
    .orderBy('since')
    .limit(params.most),
);

/**
 * Takes the refunds of a payment that are due, so that nobody else sends them before `leasedUntil`; one whose sender died
 * is due again then. The debt is locked.
 */
export const takeDueRefunds = (tx: Tx, chargeId: string, now: Date, leasedUntil: Date) =>
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
    .where('refunds.chargeId', '=', chargeId)
    .where('refunds.askAt', '<=', now)
    .where(ITS_TURN)
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

/** Whether the client wants what is more than was owed to be given back by itself. */
export const refundsExcess = async (tx: Tx, clientId: string): Promise<boolean> =>
  (
    await queriesIn(tx)
      .selectFrom('clients')
      .select('autoRefundExcess')
      .where('id', '=', clientId)
      .executeTakeFirstOrThrow()
  ).autoRefundExcess;
