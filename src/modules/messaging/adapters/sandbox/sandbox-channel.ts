import { MAX_TEXT_LENGTH, type MessagingChannel, MessagingError } from '../../ports/messaging-channel.ts';
import type { SandboxOutboxStore } from '../../ports/sandbox-store.ts';

/** Stores the message that would have been sent, once for each id, and sends nothing. */
export function createSandboxChannel(outbox: SandboxOutboxStore): MessagingChannel {
  return {
    name: 'sandbox',
    capabilities: {
      // The sandbox simulates WhatsApp, the channel with the strictest rules.
      policyChannel: 'whatsapp',
      freeTextWindowMs: null,
      templates: true,
      documents: true,
      pixCodes: true,
      deliveryStates: false,
      texts: 'full',
      reaches: 'phone',
      pace: null,
    },

    async send({ id, to, text, document, pix, context }) {
      if (!/^\+[1-9]\d{7,14}$/.test(to.phone))
        throw new MessagingError('undeliverable', 'the recipient is not a phone number');
      if (text.trim() === '' || text.length > MAX_TEXT_LENGTH) {
        throw new MessagingError('rejected', `a text must have 1 to ${MAX_TEXT_LENGTH} characters`);
      }
      await outbox.insert({
        id,
        clientId: context.clientId,
        debtId: context.debtId,
        channel: 'sandbox',
        to: to.phone,
        purpose: context.purpose,
        text,
        document: document === undefined ? null : { filename: document.filename, url: document.url },
        pixCode: pix?.code ?? null,
        at: context.at,
      });
      return { channelMessageId: `sbx_${id}`, channelUserId: null };
    },

    checkCredentials: async () => ({ shownAs: 'sandbox', peoplePerDay: null }),
  };
}
