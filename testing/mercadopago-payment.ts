import { dynamicBrCode } from './br-code.ts';

/** A refund as Mercado Pago answers it and as it lists it in its payment; the amount is a number. */
export interface FakeRefund {
  readonly id: number;
  readonly payment_id: number | string;
  readonly amount: number;
  status: 'approved' | 'in_process' | 'rejected';
  readonly source: { readonly id: string; readonly name: string; readonly type: 'collector' };
  readonly date_created: string;
  readonly unique_sequence_number: string;
  readonly refund_mode: 'standard';
  readonly labels: readonly string[];
}

/** The members of a payment as Mercado Pago sends them; amounts are numbers. */
export interface FakePayment {
  id: number | string;
  /** The account that receives the money. */
  collector_id: number;
  status: string;
  status_detail: string;
  currency_id: string;
  payment_method_id: 'pix';
  payment_type_id: 'bank_transfer';
  date_created: string;
  date_approved: string | null;
  date_last_updated: string;
  date_of_expiration: string;
  live_mode: boolean;
  external_reference: string | null;
  notification_url: string;
  transaction_amount: number;
  transaction_amount_refunded: number;
  transaction_details: { total_paid_amount: number; net_received_amount: number; overpaid_amount: number };
  fee_details: readonly unknown[];
  refunds: readonly FakeRefund[];
  point_of_interaction: {
    type: 'PIX';
    sub_type: null;
    transaction_data: { qr_code?: string; qr_code_base64?: string; ticket_url?: string; e2e_id?: string };
  };
}

interface Asked {
  readonly transaction_amount: unknown;
  readonly payment_method_id: unknown;
  readonly external_reference: string;
  readonly notification_url: string;
  readonly date_of_expiration: string;
  readonly payer?: {
    readonly email?: unknown;
    readonly identification?: { readonly type?: unknown; readonly number?: unknown };
  };
}

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/;

/** Returns the payment, or the code of the refusal. */
export function newPayment(
  id: number,
  body: unknown,
  { baseUrl, collectorId }: { readonly baseUrl: string; readonly collectorId: number },
): FakePayment | { readonly code: number } {
  const asked = body as Asked | null;
  const amount = asked?.transaction_amount;
  if (asked === null || typeof amount !== 'number' || !(amount > 0) || asked.payment_method_id !== 'pix')
    return { code: 1 };
  if (!DATE.test(asked.date_of_expiration)) return { code: 23 };
  if (!/^[^@\s]+@[^@\s]+$/.test(String(asked.payer?.email))) return { code: 4050 };
  const { type, number } = asked.payer?.identification ?? {};
  const shape = type === 'CNPJ' ? /^[0-9A-Z]{12}\d{2}$/ : /^\d{11}$/;
  if (!shape.test(String(number))) return { code: 2067 };
  const now = new Date().toISOString();
  const qr_code = dynamicBrCode({ url: `pix.example.com/qr/v2/${id}`, amountCentavos: Math.round(amount * 100) });
  return {
    id,
    collector_id: collectorId,
    status: 'pending',
    status_detail: 'pending_waiting_transfer',
    currency_id: 'BRL',
    payment_method_id: 'pix',
    payment_type_id: 'bank_transfer',
    date_created: now,
    date_approved: null,
    date_last_updated: now,
    date_of_expiration: asked.date_of_expiration,
    // The provider also sends true for test credentials, so no code may depend on it.
    live_mode: true,
    external_reference: asked.external_reference,
    notification_url: asked.notification_url,
    transaction_amount: amount,
    transaction_amount_refunded: 0,
    transaction_details: { total_paid_amount: amount, net_received_amount: 0, overpaid_amount: 0 },
    fee_details: [],
    refunds: [],
    point_of_interaction: {
      type: 'PIX',
      sub_type: null,
      transaction_data: { qr_code, qr_code_base64: '', ticket_url: `${baseUrl}/ticket/${id}` },
    },
  };
}
