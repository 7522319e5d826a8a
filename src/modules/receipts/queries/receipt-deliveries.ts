import { type Insertable, sql } from 'kysely';
import { anyOf, NOW, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { DeliveryState } from '../tables/receipt-delivery.ts';

/** The moments are by the debt's own clock. */
export type NewDelivery = Pick<
  Insertable<Tables['receipt_deliveries']>,
  'id' | 'clientId' | 'debtId' | 'receiptId' | 'way' | 'onConfirmation' | 'wishedAt' | 'dueAt'
>;

/**
 * Stores a delivery. One with the same id is stored once, and so are those that follow a confirmation, however often
 * they are requested.
 */
export const insertDelivery = (tx: Tx, delivery: NewDelivery) =>
  queriesIn(tx)
    .insertInto('receipt_deliveries')
    .values(delivery)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** Returns the moments at which the receipt was or will be sent to the debtor's phone. */
export const sendingsByMessage = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .selectFrom('receipt_deliveries')
    .select('dueAt as at')
    .where('debtId', '=', debtId)
    .where('way', '=', 'message')
    .where('state', 'not in', ['failed', 'refused'])
    .execute();

const DELIVERY = ['id', 'way', 'onConfirmation', 'attempts', 'wishedAt', 'dueAt'] as const;

export const dueDeliveries = (tx: Tx, debtId: string, at: Date) =>
  queriesIn(tx)
    .selectFrom('receipt_deliveries')
    .select(DELIVERY)
    .where('debtId', '=', debtId)
    .where('state', '=', 'waiting')
    .where('dueAt', '<=', at)
    .orderBy('dueAt')
    .orderBy('id')
    .execute();

export type Delivery = Awaited<ReturnType<typeof dueDeliveries>>[number];

/** Books a delivery immediately before it is sent. Returns undefined when another process has booked it. */
export const bookDelivery = (tx: Tx, id: string) =>
  queriesIn(tx)
    .updateTable('receipt_deliveries')
    .set(({ eb }) => ({ state: 'booked', attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returning(DELIVERY)
    .executeTakeFirst();

/** Marks booked deliveries of an earlier attempt as unknown. They may have been sent, so they are not repeated. */
export const markBookedUnknown = (tx: Tx, debtId: string) =>
  queriesIn(tx)
    .updateTable('receipt_deliveries')
    .set({ state: 'unknown' })
    .where('debtId', '=', debtId)
    .where('state', '=', 'booked')
    .returning(DELIVERY)
    .execute();

/** The condition for a delivery that may still be sent: its receipt is not revoked, and its debtor not erased. */
export const MAY_BE_SENT = sql<boolean>`exists (select from receipts join debts on debts.id = receipt_deliveries.debt_id
  where receipts.id = receipt_deliveries.receipt_id and debts.erased_at is null
    and (receipts.revoked_at is null or receipts.restored_at is not null))`;

/** A revocation and an erasure refuse what is waiting, but not what is being sent: that does not begin to wait again. */
const WAITING_OR_REFUSED = sql<DeliveryState>`case when ${MAY_BE_SENT} then 'waiting' else 'refused' end`;

interface StateChange {
  readonly from?: DeliveryState;
  readonly state: DeliveryState;
  /** The moment of the next attempt, which belongs to the state `waiting`. */
  readonly dueAt?: Date;
}

/**
 * Returns false when the delivery is not in the former state any more, which is `booked` unless another is named. One
 * that is to wait is refused when it may not be sent any more.
 */
export async function setDeliveryState(
  tx: Tx,
  id: string,
  { from = 'booked', state, dueAt }: StateChange,
): Promise<boolean> {
  const changed = await queriesIn(tx)
    .updateTable('receipt_deliveries')
    .set({ state: state === 'waiting' ? WAITING_OR_REFUSED : state, ...(dueAt === undefined ? {} : { dueAt }) })
    .where('id', '=', id)
    .where('state', '=', from)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

export const refuseWaitingDeliveries = (
  tx: Tx,
  of: { readonly receiptId: string } | { readonly debtIds: readonly string[] },
) =>
  queriesIn(tx)
    .updateTable('receipt_deliveries')
    .set({ state: 'refused' })
    .where((delivery) =>
      'receiptId' in of ? delivery('receiptId', '=', of.receiptId) : delivery('debtId', '=', anyOf(of.debtIds, 'uuid')),
    )
    .where('state', '=', 'waiting')
    .execute();

/** Refuses what waits of any other receipt of the debt, and what may not be sent any more of this one. */
export const refuseOutdatedDeliveries = (
  tx: Tx,
  { debtId, receiptId }: { readonly debtId: string; readonly receiptId: string },
) =>
  queriesIn(tx)
    .updateTable('receipt_deliveries')
    .set({ state: 'refused' })
    .where('debtId', '=', debtId)
    .where('state', '=', 'waiting')
    .where((delivery) => delivery.or([delivery('receiptId', '<>', receiptId), delivery.not(MAY_BE_SENT)]))
    .execute();

/** Returns the e-mail addresses of a debt in their order; null for a debt with at most one. */
export async function emailsOfDebt(tx: Tx, debtId: string): Promise<readonly string[] | null> {
  const debt = await queriesIn(tx)
    .selectFrom('debts')
    .select('debtorEmails')
    .where('id', '=', debtId)
    .executeTakeFirst();
  return debt?.debtorEmails ?? null;
}

/** Makes another address the one in use, or none. Returns false when `refused` was not in use any more. */
export async function setEmailInUse(
  tx: Tx,
  debtId: string,
  { refused, next }: { readonly refused: string; readonly next: string | null },
): Promise<boolean> {
  const changed = await queriesIn(tx)
    .updateTable('debts')
    .set({ debtorEmail: next, updatedAt: NOW })
    .where('id', '=', debtId)
    .where('debtorEmail', '=', refused)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

export async function hasDebtorEmail(tx: Tx, debtId: string): Promise<boolean> {
  const debt = await queriesIn(tx)
    .selectFrom('debts')
    .select('id')
    .where('id', '=', debtId)
    .where('debtorEmail', 'is not', null)
    .executeTakeFirst();
  return debt !== undefined;
}

/**
 * Returns the suppressions that the client of the transaction received, and no others, because a client may not learn
 * of these.
 */
export const ownSuppressions = (
  tx: Tx,
  debtor: { readonly taxId: string; readonly phone: string; readonly sandbox: boolean },
) =>
  queriesIn(tx)
    .selectNoFrom(({ exists, selectFrom }) => {
      const debts = selectFrom('debts')
        .select('debts.id')
        .where('debts.debtorTaxId', '=', debtor.taxId)
        .where('debts.sandbox', '=', debtor.sandbox);
      const optedOut = debts.where((debt) =>
        debt.or([
          debt('debts.status', '=', 'OPTED_OUT'),
          debt.exists(
            debt
              .selectFrom('messages')
              .select('messages.id')
              .whereRef('messages.debtId', '=', 'debts.id')
              .where('messages.intent', '=', 'opt_out'),
          ),
          debt.exists(
            debt
              .selectFrom('debt_events')
              .select('debt_events.seq')
              .whereRef('debt_events.debtId', '=', 'debts.id')
              .where('debt_events.kind', '=', 'status_changed')
              .where(sql<string>`debt_events.data ->> 'to'`, '=', 'OPTED_OUT'),
          ),
        ]),
      );
      const wrongPerson = debts
        .where('debts.debtorPhone', '=', debtor.phone)
        .where('debts.wrongPersonAt', 'is not', null);
      return [
        exists(optedOut).$castTo<boolean>().as('optedOut'),
        exists(wrongPerson).$castTo<boolean>().as('wrongPerson'),
      ];
    })
    .executeTakeFirstOrThrow();

const ACCEPTED: readonly DeliveryState[] = ['sent', 'unknown'];

/** Lets a delivery be sent again that the channel accepted and then could not make, if it may still be sent. */
export const reopenDelivery = (tx: Tx, deliveryId: string, dueAt: Date) =>
  queriesIn(tx)
    .updateTable('receipt_deliveries')
    .set({ state: 'waiting', dueAt })
    .where('id', '=', deliveryId)
    .where('state', 'in', ACCEPTED)
    .where(MAY_BE_SENT)
    .execute();

/** The channel accepted the delivery and then could not make it, and it is not made again. */
export const giveDeliveryUp = (tx: Tx, deliveryId: string) =>
  queriesIn(tx)
    .updateTable('receipt_deliveries')
    .set({ state: 'failed' })
    .where('id', '=', deliveryId)
    .where('state', 'in', ACCEPTED)
    .execute();
