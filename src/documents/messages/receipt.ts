import type { MessageText } from './collection.ts';
import { fillTemplate, placeholdersOf } from './fill.ts';
import { type MessageFacts, type MessageValues, messageValues } from './values.ts';

export const RECEIPT_MESSAGE_VERSION = 1;

const BODY =
  'Pagamento confirmado, {{firstName}}. Obrigado! O valor de {{amount}} quitou a conta com a {{creditor}}. O termo de quitação, protocolo {{protocol}}, está aqui: {{receiptUrl}}';

/** The message that carries the settlement receipt, on confirmation and whenever the receipt is sent again. */
export const receiptMessage = (
  facts: MessageFacts & { readonly receiptUrl: string },
  protocol: string,
): MessageText => {
  const values: MessageValues = { ...messageValues(facts), protocol };
  return {
    text: fillTemplate(BODY, values),
    template: {
      name: 'quita_receipt',
      version: RECEIPT_MESSAGE_VERSION,
      parameters: placeholdersOf(BODY).map((name) => values[name]!),
    },
  };
};
