import { fillTemplate } from './fill.ts';
import { type MessageFacts, messageValues } from './values.ts';

export const RECEIPT_MESSAGE_VERSION = 1;

/** Goes with the settlement receipt, at once on confirmation and whenever it is sent again. */
export const receiptMessage = (facts: MessageFacts & { readonly receiptUrl: string }, protocol: string): string =>
  fillTemplate(
    'Pagamento confirmado, {{firstName}}. Obrigado! O valor de {{amount}} quitou a conta com a {{creditor}}. O termo de quitação, protocolo {{protocol}}, está aqui: {{receiptUrl}}',
    { ...messageValues(facts), protocol },
  );
