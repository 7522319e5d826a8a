import type { EntityManager } from '@mikro-orm/postgresql';
import type { DeliveryState, ReceiptWay } from '../../db/entities/receipt-delivery.ts';
import { runInTransaction } from '../../db/statement.ts';

export interface Delivery {
  readonly id: string;
  readonly way: ReceiptWay;
  readonly onConfirmation: boolean;
  readonly attempts: number;
  readonly dueAt: Date;
}

export interface NewDelivery {
  readonly clientId: string;
  readonly debtId: string;
  readonly receiptId: string;
  readonly way: ReceiptWay;
  readonly onConfirmation: boolean;
  /** By the debt's own clock, both. */
  readonly wishedAt: number;
  readonly dueAt: number;
}

const COLUMNS = 'id, way, on_confirmation as "onConfirmation", attempts, due_at as "dueAt"';

const WISH = `
  insert into receipt_deliveries (client_id, debt_id, receipt_id, way, on_confirmation, wished_at, due_at)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (receipt_id, way) where on_confirmation do nothing`;

/** The sendings that follow a confirmation are written down once, however often they are wished for. */
export async function wishDelivery(em: EntityManager, wish: NewDelivery): Promise<void> {
  const { clientId, debtId, receiptId, way, onConfirmation, wishedAt, dueAt } = wish;
  const moments = [new Date(wishedAt), new Date(dueAt)];
  await runInTransaction(em, WISH, [clientId, debtId, receiptId, way, onConfirmation, ...moments]);
}

const SENDINGS = `
  select due_at as at from receipt_deliveries
  where debt_id = $1 and way = 'message' and state not in ('failed', 'refused')`;

/** When the receipt went, or will go, to the debtor's phone. */
export const sendingsOf = async (em: EntityManager, debtId: string): Promise<number[]> =>
  (await runInTransaction<{ at: Date }>(em, SENDINGS, [debtId])).map(({ at }) => at.getTime());

const DUE = `select ${COLUMNS} from receipt_deliveries where debt_id = $1 and state = 'waiting' and due_at <= $2 order by due_at, id`;

export const dueDeliveries = (em: EntityManager, debtId: string, now: number): Promise<Delivery[]> =>
  runInTransaction<Delivery>(em, DUE, [debtId, new Date(now)]);

const BOOK = `
  update receipt_deliveries set state = 'booked', attempts = attempts + 1
  where id = $1 and state = 'waiting' returning ${COLUMNS}`;

/** Immediately before the sending; null when somebody else has it. */
export async function bookDelivery(em: EntityManager, id: string): Promise<Delivery | null> {
  const [booked] = await runInTransaction<Delivery>(em, BOOK, [id]);
  return booked ?? null;
}

const ABANDONED = `
  update receipt_deliveries set state = 'unknown' where debt_id = $1 and state = 'booked' returning ${COLUMNS}`;

/** Booked by a try of which nobody knows how it ended: they may have been sent, and are not repeated. */
export const giveUpBooked = (em: EntityManager, debtId: string): Promise<Delivery[]> =>
  runInTransaction<Delivery>(em, ABANDONED, [debtId]);

const SETTLE = `
  update receipt_deliveries set state = $2, due_at = coalesce($3, due_at) where id = $1 and state = any ($4) returning id`;

/** False when it has ended already. `waiting` again with a later moment is another try. */
export async function settleDelivery(
  em: EntityManager,
  id: string,
  end: { readonly state: DeliveryState; readonly dueAt?: number; readonly from?: DeliveryState },
): Promise<boolean> {
  const dueAt = end.dueAt === undefined ? null : new Date(end.dueAt);
  return (await runInTransaction(em, SETTLE, [id, end.state, dueAt, [end.from ?? 'booked']])).length > 0;
}
