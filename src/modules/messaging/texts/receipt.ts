import type { MessageFacts } from '../rules/message-facts.ts';
import type { MessageText } from './collection.ts';
import { shortReceiptMessage } from './short.ts';
import { fillTemplate, type MessageValues, messageValues, parametersOf, templateName } from './values.ts';

const RECEIPT_MESSAGE_VERSION = 2;

export const RECEIPT_TEMPLATE = {
  name: templateName(['receipt'], RECEIPT_MESSAGE_VERSION),
  body: 'Pagamento confirmado, {{firstName}}. Obrigado! O valor de {{amount}} quitou a conta com a {{creditor}}. O termo de quitação, protocolo {{protocol}}, está aqui: {{receiptUrl}}\n\nGuarde este documento: ele comprova o pagamento.',
} as const;

/** The message that carries the settlement receipt, on confirmation and whenever the receipt is sent again. */
export const receiptMessage = (
  facts: MessageFacts & { readonly receiptUrl: string },
  protocol: string,
): MessageText => {
  const { name, body } = RECEIPT_TEMPLATE;
  const values: MessageValues = { ...messageValues(facts), protocol };
  return {
    text: fillTemplate(body, values),
    short: shortReceiptMessage(facts, protocol),
    template: { name, parameters: parametersOf(body, values) },
  };
};
