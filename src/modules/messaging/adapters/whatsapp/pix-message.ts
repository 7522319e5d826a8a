import { MessagingError, type PixInMessage, type PixRefusal } from '../../ports/messaging-channel.ts';

export const MAX_ORDER_TEXT_LENGTH = 1_024;
/** "Minimum threshold is 300 seconds"; the rest is for a slow request. */
const LEAST_SHOWN_MS = 330_000;

const amount = (centavos: number) => ({ value: centavos, offset: 100 });

/**
 * The order of Meta's Payments API for Brazil, under whose text WhatsApp shows a button that copies the code:
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/payments/payments-br/offsite-pix and
 * `…/orders`. It is sent within 24 hours of the person's last message only. WhatsApp stops showing the button at its
 * `expiration`, so that a code which another one has replaced is not copied any more.
 */
export const orderContent = (
  text: string,
  { code, reference, amountCentavos, receiver, item, shownUntil }: PixInMessage,
) => ({
  type: 'interactive',
  interactive: {
    type: 'order_details',
    body: { text },
    action: {
      name: 'review_and_pay',
      parameters: {
        reference_id: reference,
        type: 'digital-goods',
        payment_type: 'br',
        payment_settings: [
          {
            type: 'pix_dynamic_code',
            pix_dynamic_code: { code, merchant_name: receiver.name, key: receiver.key, key_type: receiver.keyType },
          },
        ],
        currency: 'BRL',
        total_amount: amount(amountCentavos),
        order: {
          status: 'pending',
          expiration: {
            timestamp: String(Math.floor(shownUntil.getTime() / 1_000)),
            description: 'Este código não está mais à mostra. Responda por aqui para receber o de hoje.',
          },
          items: [{ retailer_id: reference, name: item, amount: amount(amountCentavos), quantity: 1 }],
          subtotal: amount(amountCentavos),
          tax: amount(0),
        },
      },
    },
  },
});

/**
 * The parameter of a template's button that copies the code: `…/payments-br/payment-request-cta`. The amount is left
 * out, because WhatsApp would show it to whoever holds the phone.
 */
export const paymentRequest = ({ code }: Pick<PixInMessage, 'code'>, index: number) => ({
  type: 'button',
  sub_type: 'payment_request',
  index: String(index),
  parameters: [
    {
      type: 'action',
      action: { payment_request: { payment_setting: { type: 'pix_dynamic_code', pix_dynamic_code: { code } } } },
    },
  ],
});

/** Refuses what WhatsApp would refuse, so that the message goes out without the code. */
export function refuseBadOrder(text: string, { shownUntil, amountCentavos }: PixInMessage, now: number): void {
  if (text.length <= MAX_ORDER_TEXT_LENGTH && amountCentavos > 0 && shownUntil.getTime() - now > LEAST_SHOWN_MS) return;
  throw new MessagingError('rejected', 'WhatsApp: the message cannot carry this code', { ofPixCode: 'message' });
}

/** "The message you are trying to send cannot be received by this user", and a type of message that is not supported. */
const OF_MESSAGE = ['2040', '131051'];
/**
 * Meta's documents name no code for an account without payments. These are the ones that they give for a capability or a
 * permission that is missing, and for parameters that the account may not use. A token that is wrong altogether has other
 * codes, or refuses the message without the code too.
 */
const OF_SENDER = ['3', '10', '100', '131005', '131008', '131009', '131055'];
const FIRST_PERMISSION = 200;
const LAST_PERMISSION = 299;

/**
 * Says whether the refusal of a message with a code may be one of the code alone. Nothing was sent then, so that the same
 * message may go out without it.
 */
export function refusalOfPix(error: MessagingError): PixRefusal | undefined {
  if (!error.surelyNotSent || error.kind === 'retryable') return undefined;
  const [code = ''] = error.channelCode?.split('/') ?? [];
  if (OF_MESSAGE.includes(code)) return 'message';
  const isPermission = Number(code) >= FIRST_PERMISSION && Number(code) <= LAST_PERMISSION;
  if (OF_SENDER.includes(code) || isPermission) return 'sender';
  // A template that is missing, paused or made otherwise says nothing of the account.
  return error.kind === 'rejected' ? 'message' : undefined;
}

/** The same error, with what it says of the code. */
export function withRefusalOfPix(error: unknown): unknown {
  const ofPixCode = error instanceof MessagingError ? (error.ofPixCode ?? refusalOfPix(error)) : undefined;
  if (!(error instanceof MessagingError) || ofPixCode === undefined) return error;
  const { kind, message, scope, channelCode } = error;
  return new MessagingError(kind, message, { scope, ofPixCode, ...(channelCode === undefined ? {} : { channelCode }) });
}
