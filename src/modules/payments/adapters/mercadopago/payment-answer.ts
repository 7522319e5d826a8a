import { z } from 'zod';
import type { ProviderCharge, ProviderPaymentStatus } from '../../ports/payment-provider.ts';
import type { ProviderReversal } from '../../rules/refunds.ts';

/** Only explicit success or failure is final; a state that is not listed is PENDING. */
const STATUSES: ReadonlyMap<string, ProviderPaymentStatus> = new Map([
  ['approved', 'APPROVED'],
  ['rejected', 'REJECTED'],
  ['cancelled', 'CANCELLED'],
  ['canceled', 'CANCELLED'],
  ['refunded', 'CANCELLED'],
  ['charged_back', 'CANCELLED'],
]);
/** The states in which money was received, even if it was returned later. */
const PAID = ['approved', 'refunded', 'charged_back', 'in_mediation'];

const centavos = z.number().transform((reais, context) => {
  const amount = Math.round(reais * 100);
  if (reais < 0 || !Number.isSafeInteger(amount) || Math.abs(reais * 100 - amount) > 1e-4) {
    context.addIssue({ code: 'custom', message: 'not an amount of money' });
    return z.NEVER;
  }
  return amount;
});
const text = z.string().nullish().catch(null);
const moment = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => {
    const at = new Date(value ?? Number.NaN);
    return Number.isNaN(at.getTime()) ? null : at;
  });
const paymentId = z
  .union([z.int().positive(), z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)])
  .transform((id) => String(id));

const REFUND_STATES: ReadonlyMap<string, ProviderReversal['state']> = new Map([
  ['approved', 'done'],
  ['rejected', 'failed'],
  ['cancelled', 'failed'],
]);

const refundAnswer = z.object({
  id: paymentId,
  amount: centavos,
  status: z.string().min(1).max(64),
  date_created: moment,
});

/** Whoever asked for it here or in the panel. A state that is not listed is not final. */
const toReversal = ({ id, amount, status, date_created }: z.output<typeof refundAnswer>): ProviderReversal => ({
  id,
  kind: 'refund',
  state: REFUND_STATES.get(status) ?? 'pending',
  amountCentavos: amount,
  at: date_created,
  contestUntil: null,
});

/** Throws for anything that is not a refund. */
export const readRefund = (answer: unknown): ProviderReversal => toReversal(refundAnswer.parse(answer));

/** The members on which a decision depends are required and checked; the others may be missing. */
const paymentAnswer = z.object({
  id: paymentId,
  status: z.string().min(1).max(64),
  status_detail: text,
  transaction_amount: centavos,
  transaction_amount_refunded: centavos.nullish(),
  currency_id: z.string().min(1).max(8),
  external_reference: text,
  date_approved: moment,
  date_of_expiration: moment,
  date_last_updated: moment,
  // A refund that cannot be read is left out: the refunded sum above counts.
  refunds: z.array(refundAnswer.nullable().catch(null)).max(1_000).nullish().catch(null),
  transaction_details: z.object({ total_paid_amount: centavos.nullish() }).nullish(),
  point_of_interaction: z
    .object({
      transaction_data: z.object({ qr_code: text, e2e_id: text }).nullish(),
    })
    .nullish(),
});

/**
 * A payment that was charged back is `reimbursed` when the dispute ended in favour of the seller, who has the money
 * again; while the dispute runs it is `in_process`, and `settled` when the seller lost it.
 */
const isWonBack = ({ status, status_detail }: { readonly status: string; readonly status_detail?: string | null }) =>
  status === 'charged_back' && status_detail === 'reimbursed';

/** Throws for anything that is not a payment. */
export function readPayment(answer: unknown): ProviderCharge {
  const payment = paymentAnswer.parse(answer);
  const data = payment.point_of_interaction?.transaction_data;
  const paid = payment.transaction_details?.total_paid_amount ?? payment.transaction_amount;
  const refunded = payment.transaction_amount_refunded ?? 0;
  const wonBack = isWonBack(payment);
  return {
    providerPaymentId: payment.id,
    status: wonBack ? 'APPROVED' : (STATUSES.get(payment.status) ?? 'PENDING'),
    rawStatus: payment.status,
    statusDetail: payment.status_detail ?? null,
    amountCentavos: payment.transaction_amount,
    // Before confirmation `total_paid_amount` is the requested amount, not the paid one.
    paidAmountCentavos: PAID.includes(payment.status) ? paid : 0,
    // A payment in this state is refunded as a whole, whatever else was paid beside the requested amount.
    refundedCentavos: payment.status === 'refunded' ? Math.max(refunded, paid) : refunded,
    currency: payment.currency_id,
    externalReference: payment.external_reference ?? null,
    paidAt: payment.date_approved,
    endToEndId: data?.e2e_id ?? null,
    expiresAt: payment.date_of_expiration,
    updatedAt: payment.date_last_updated,
    chargedBack: payment.status === 'charged_back' && !wonBack,
    instruments: data?.qr_code ? [{ kind: 'pix', brCode: data.qr_code }] : [],
    settlements:
      payment.date_approved === null || !PAID.includes(payment.status)
        ? []
        : [
            {
              endToEndId: data?.e2e_id ?? null,
              amountCentavos: paid,
              components: null,
              paidAt: payment.date_approved,
              creditedAt: null,
              channel: 'pix',
            },
          ],
    reversals: [
      ...(payment.refunds ?? []).flatMap((one) => (one === null ? [] : [toReversal(one)])),
      ...chargebackOf(payment, paid - refunded, wonBack),
    ],
  };
}

/** The answer about a payment has no id and no day of its chargeback. */
const chargebackOf = (
  { id, status }: Pick<z.output<typeof paymentAnswer>, 'id' | 'status'>,
  amountCentavos: number,
  wonBack: boolean,
): readonly ProviderReversal[] =>
  status !== 'charged_back'
    ? []
    : [
        {
          id: `chargeback-${id}`,
          kind: 'chargeback',
          state: wonBack ? 'failed' : 'done',
          amountCentavos,
          at: null,
          contestUntil: null,
        },
      ];

const searchAnswer = z.object({ results: z.array(z.unknown()) });

export function readSearch(answer: unknown): readonly ProviderCharge[] {
  return searchAnswer.parse(answer).results.map(readPayment);
}

const userAnswer = z.object({ id: paymentId, site_id: z.string() });

export function readUser(answer: unknown): { readonly id: string; readonly siteId: string } {
  const user = userAnswer.parse(answer);
  return { id: user.id, siteId: user.site_id };
}
