import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdAt, id, instant, oneOf } from '../../../platform/database/tables/columns.ts';
import { tenantTable } from '../../../platform/database/tables/tenant-table.ts';
import { Client } from '../../accounts/tables/client.ts';
import { Debt } from '../../debts/tables/debt.ts';
import { Receipt } from './receipt.ts';

export const RECEIPT_WAYS = ['message', 'email'] as const;
export type ReceiptWay = (typeof RECEIPT_WAYS)[number];

/**
 * A delivery is `waiting` until it is due and `booked` immediately before it is sent. A delivery that is still booked
 * at the next attempt may have been sent: it becomes `unknown` and is not repeated. `refused` means that a rule forbids
 * it.
 */
export const DELIVERY_STATES = ['waiting', 'booked', 'sent', 'unknown', 'failed', 'refused'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One sending of a receipt by message or by e-mail, which happens at most once. The request for it stores the row. */
export const ReceiptDelivery = defineEntity({
  name: 'ReceiptDelivery',
  tableName: 'receipt_deliveries',
  properties: {
    id: id(),
    clientId: () => p.manyToOne(Client).mapToPk().fieldName('client_id'),
    debtId: () => p.manyToOne(Debt).mapToPk().fieldName('debt_id'),
    receiptId: () => p.manyToOne(Receipt).mapToPk().fieldName('receipt_id'),
    way: p.text().$type<ReceiptWay>(),
    /** True for the delivery that follows the confirmation of the payment; the client requested any other one. */
    onConfirmation: p.boolean(),
    state: p.text().$type<DeliveryState>().default('waiting'),
    attempts: p.integer().default(0),
    /** `wishedAt` and `dueAt` are by the debt's own clock. */
    wishedAt: instant(),
    dueAt: instant(),
    createdAt: createdAt(),
  },
  indexes: [
    {
      name: 'receipt_deliveries_confirmation',
      expression:
        'create unique index "receipt_deliveries_confirmation" on "receipt_deliveries" ("receipt_id", "way") where on_confirmation',
    },
    { name: 'receipt_deliveries_debt', properties: ['debtId', 'dueAt'] },
    { name: 'receipt_deliveries_open', properties: ['debtId'], where: "state in ('waiting', 'booked')" },
    { name: 'receipt_deliveries_receipt', properties: ['receiptId'] },
    { name: 'receipt_deliveries_client', properties: ['clientId'] },
  ],
  checks: [
    { name: 'receipt_deliveries_way_known', expression: oneOf('way', RECEIPT_WAYS) },
    { name: 'receipt_deliveries_state_known', expression: oneOf('state', DELIVERY_STATES) },
  ],
  ...tenantTable(),
});
