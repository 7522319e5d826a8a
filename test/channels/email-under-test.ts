import { readFileSync } from 'node:fs';
import { createEmailAddresses } from '../../src/modules/messaging/adapters/email/addresses.ts';
import { createEmailChannel } from '../../src/modules/messaging/adapters/email/email-channel.ts';
import { createEmailWebhook } from '../../src/modules/messaging/adapters/email/email-webhook.ts';
import { createMailReader } from '../../src/modules/messaging/adapters/email/threads/mail-reader.ts';
import { createUnsubscribeLinks } from '../../src/modules/messaging/use-cases/unsubscribe.ts';
import { createSmtpMailer } from '../../src/platform/mail/smtp/smtp-mailer.ts';
import { startFakeSmtp } from '../../testing/channels/fake-smtp.ts';

export const SECRET = 'the-secret-of-the-mail-server-0001';
export const PUBLIC_URL = 'https://quita.example.com.br';
export const FROM = 'cobranca@quita.example';
export const CREDITOR = 'Água & Luz <Serviços> Ltda.';
export const LINK_SECRETS = ['the-secret-of-the-links-and-addresses'];

/** The channel with everything that it needs in the product, before a fake mail server. */
export async function openEmail() {
  const fake = await startFakeSmtp({ secret: SECRET });
  const addresses = createEmailAddresses({
    secrets: LINK_SECRETS,
    returnDomain: 'retorno.quita.example',
    fromDomain: 'quita.example',
  });
  const links = createUnsubscribeLinks({ secrets: LINK_SECRETS, publicUrl: PUBLIC_URL });
  const reader = createMailReader();
  const channelAt = (url: string) =>
    createEmailChannel({
      // Only the day without an answer waits for this limit.
      mailer: createSmtpMailer({ url, from: `Quita <${FROM}>`, silenceTimeoutMs: 2_000 }),
      fromAddress: FROM,
      addresses,
      publicUrl: PUBLIC_URL,
      creditorName: async () => CREDITOR,
      unsubscribeUrl: links.url,
      rightsUrl: async ({ debtId }) => `${PUBLIC_URL}/direitos/${debtId}`,
    });
  return {
    fake: {
      ...fake,
      taken: fake.taken,
      async close() {
        await reader.close();
        await fake.close();
      },
    },
    addresses,
    links,
    channelAt,
    channel: channelAt(fake.baseUrl),
    webhook: createEmailWebhook({ addresses, reader, fromAddress: FROM, now: () => new Date() }),
  };
}

export type OpenEmail = Awaited<ReturnType<typeof openEmail>>;

/** A mail of `mails/` with the addresses of one message in it, and with the line ends of SMTP. */
export const mailFixture = (name: string, email: Pick<OpenEmail, 'addresses'>, messageId: string): string =>
  withAddresses(readFileSync(new URL(`./mails/${name}.eml`, import.meta.url), 'utf8'), email, messageId);

export function withAddresses(text: string, { addresses }: Pick<OpenEmail, 'addresses'>, messageId: string): string {
  const values: Readonly<Record<string, string>> = {
    BOUNCE: addresses.bounce(messageId),
    REPLY: addresses.reply(messageId),
    MESSAGE: addresses.message(messageId),
    // Three megabytes.
    PICTURE: `${'QUJD'.repeat(19)}\n`.repeat(52_000),
  };
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_all, key: string) => values[key]!).replaceAll('\n', '\r\n');
}
