/** Orders and payment requests with a Pix code, as Meta's Payments API for Brazil takes them. */
import { z } from 'zod';
import { pixKeyType, receiverOfCode } from '../../../src/kernel/brcode.ts';
import { type Answer, graphError } from './answers.ts';

export class FakePayments {
  /** Whether the account may use the Payments API. */
  enabled = false;
  /** Which refusal an account without it gets: Meta's documents do not name the code. */
  refusal = 10;
  /** Each order of a business has a reference of its own. */
  readonly references = new Set<string>();
}

const amount = z.strictObject({ value: z.int().nonnegative(), offset: z.literal(100) });
const positive = z.strictObject({ value: z.int().positive(), offset: z.literal(100) });
const code = z.string().refine((text) => receiverOfCode(text) !== null);

const order = z
  .strictObject({
    status: z.literal('pending'),
    expiration: z.strictObject({ timestamp: z.string().regex(/^\d{10}$/), description: z.string().min(1).max(120) }),
    items: z
      .array(
        z.strictObject({
          retailer_id: z.string().min(1),
          name: z.string().min(1).max(60),
          amount: positive,
          quantity: z.int().positive(),
        }),
      )
      .min(1),
    subtotal: positive,
    tax: amount,
  })
  .refine(
    ({ items, subtotal }) => items.reduce((sum, one) => sum + one.amount.value * one.quantity, 0) === subtotal.value,
  );

const orderDetails = z.strictObject({
  type: z.literal('order_details'),
  body: z.strictObject({ text: z.string().min(1).max(1_024) }),
  action: z.strictObject({
    name: z.literal('review_and_pay'),
    parameters: z
      .strictObject({
        reference_id: z.string().regex(/^[A-Za-z0-9_.-]{1,60}$/),
        type: z.literal('digital-goods'),
        payment_type: z.literal('br'),
        payment_settings: z
          .array(
            z.strictObject({
              type: z.literal('pix_dynamic_code'),
              pix_dynamic_code: z
                .strictObject({
                  code,
                  merchant_name: z.string().min(1),
                  key: z.string(),
                  key_type: z.enum(['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP']),
                })
                .refine(({ key, key_type: type }) => pixKeyType(key) === type),
            }),
          )
          .length(1),
        currency: z.literal('BRL'),
        total_amount: positive,
        order,
      })
      .refine(({ order: { subtotal, tax }, total_amount: total }) => total.value === subtotal.value + tax.value),
  }),
});

const LEAST_SECONDS = 300;

export function textOfOrder(interactive: unknown, payments: FakePayments): string | Answer {
  const { data } = orderDetails.safeParse(interactive);
  if (data === undefined) return graphError(131009, { details: 'The parameters of the order are not valid' });
  const { reference_id: reference, order: asked } = data.action.parameters;
  if (!payments.enabled) return graphError(payments.refusal, { status: 403 });
  if (Number(asked.expiration.timestamp) - Date.now() / 1_000 < LEAST_SECONDS) return graphError(131009);
  if (payments.references.has(reference)) return graphError(131009, { details: 'The reference_id is not unique' });
  payments.references.add(reference);
  return data.body.text;
}

const request = z.tuple([
  z.strictObject({
    type: z.literal('action'),
    action: z.strictObject({
      payment_request: z.strictObject({
        payment_setting: z.strictObject({
          type: z.literal('pix_dynamic_code'),
          pix_dynamic_code: z.strictObject({ code }),
        }),
      }),
    }),
  }),
]);

/** Returns the refusal of the parameters of a template's button that copies a code; null when they are right. */
export function refusedRequest(parameters: unknown, payments: FakePayments): Answer | null {
  if (!request.safeParse(parameters).success) return graphError(131009);
  return payments.enabled ? null : graphError(payments.refusal, { status: 403 });
}
