import { randomUUID } from 'node:crypto';
import type { FakePayment, FakeRefund } from './mercadopago-payment.ts';

let nextId = 1_000_001;

const centavos = (reais: number): number => Math.round(reais * 100);

/** What was paid and has not gone back. */
export const leftOf = ({ transaction_details, transaction_amount_refunded }: FakePayment): number =>
  (centavos(transaction_details.total_paid_amount) - centavos(transaction_amount_refunded)) / 100;

export function newRefund(payment: FakePayment, amount: number, status: FakeRefund['status']): FakeRefund {
  const id = nextId++;
  return {
    id,
    payment_id: payment.id,
    amount,
    status,
    source: { id: String(payment.collector_id), name: 'X', type: 'collector' },
    date_created: new Date().toISOString(),
    unique_sequence_number: randomUUID(),
    refund_mode: 'standard',
    labels: status === 'in_process' ? ['contingency'] : [],
  };
}

/** What a payment says once so much more went back. */
export function refundedBy(payment: FakePayment, amount: number): Partial<FakePayment> {
  const refunded = centavos(payment.transaction_amount_refunded) + centavos(amount);
  const total = refunded >= centavos(payment.transaction_details.total_paid_amount);
  return {
    transaction_amount_refunded: refunded / 100,
    status: total ? 'refunded' : 'approved',
    status_detail: total ? 'refunded' : 'partially_refunded',
  };
}
