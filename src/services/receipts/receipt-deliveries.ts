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
  /** Both moments are by the debt's own clock. */
  readonly requestedAt: number;
  readonly dueAt: number;
}

const COLUMNS = 'id, way, on_confirmation as "onConfirmation", attempts, due_at as "dueAt"';

const INSERT = `
  insert into receipt_deliveries (client_id, debt_id, receipt_id, way, on_confirmation, wished_at, due_at)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (receipt_id, way) where on_confirmation do nothing`;

/** Stores a delivery. Those that follow a confirmation are stored once, however often they are requested. */
export async function requestDelivery(em: EntityManager, delivery: NewDelivery): Promise<void> {
  const { clientId, debtId, receiptId, way, onConfirmation, requestedAt, dueAt } = delivery;
  const moments = [new Date(requestedAt), new Date(dueAt)];
  await runInTransaction(em, INSERT, [clientId, debtId, receiptId, way, onConfirmation, ...moments]);
}

const SENDINGS = `
  select due_at as at from receipt_deliveries
  where debt_id = $1 and way = 'message' and state not in ('failed', 'refused')`;

/** Returns the moments at which the receipt was or will be sent to the debtor's phone. */
export const sendingsOf = async (em: EntityManager, debtId: string): Promise<number[]> =>
  (await runInTransaction<{ at: Date }>(em, SENDINGS, [debtId])).map(({ at }) => at.getTime());

const DUE = `select ${COLUMNS} from receipt_deliveries where debt_id = $1 and state = 'waiting' and due_at <= $2 order by due_at, id`;

export const dueDeliveries = (em: EntityManager, debtId: string, now: number): Promise<Delivery[]> =>
  runInTransaction<Delivery>(em, DUE, [debtId, new Date(now)]);

const BOOK = `
  update receipt_deliveries set state = 'booked', attempts = attempts + 1
  where id = $1 and state = 'waiting' returning ${COLUMNS}`;

/** Books a delivery immediately before it is sent. Returns null when another process has booked it. */
export async function bookDelivery(em: EntityManager, id: string): Promise<Delivery | null> {
  const [booked] = await runInTransaction<Delivery>(em, BOOK, [id]);
  return booked ?? null;
}

const ABANDONED = `
  update receipt_deliveries set state = 'unknown' where debt_id = $1 and state = 'booked' returning ${COLUMNS}`;

/** Marks booked deliveries of an earlier attempt as unknown. They may have been sent, so they are not repeated. */
export const markBookedUnknown = (em: EntityManager, debtId: string): Promise<Delivery[]> =>
  runInTransaction<Delivery>(em, ABANDONED, [debtId]);

const SET_STATE = `
  update receipt_deliveries set state = $2, due_at = coalesce($3, due_at) where id = $1 and state = any ($4) returning id`;

/** Returns false when the delivery has ended already. State `waiting` with a later moment schedules another attempt. */
export async function setDeliveryState(
  em: EntityManager,
  id: string,
  end: { readonly state: DeliveryState; readonly dueAt?: number; readonly from?: DeliveryState },
): Promise<boolean> {
  const dueAt = end.dueAt === undefined ? null : new Date(end.dueAt);
  return (await runInTransaction(em, SET_STATE, [id, end.state, dueAt, [end.from ?? 'booked']])).length > 0;
}
