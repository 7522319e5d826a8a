import type { RealChannel } from '../../kernel/messaging-channels.ts';
import { NAME_OF_CLIENT } from '../../modules/accounts/queries/clients.ts';
import { rightsUrlOfDebt } from '../../modules/debts/use-cases/rights-link.ts';
import { createEmailAddresses, type EmailAddresses } from '../../modules/messaging/adapters/email/addresses.ts';
import { createEmailChannel } from '../../modules/messaging/adapters/email/email-channel.ts';
import { createTwilioChannel } from '../../modules/messaging/adapters/twilio/twilio-channel.ts';
import { createWhatsAppChannel } from '../../modules/messaging/adapters/whatsapp/whatsapp-channel.ts';
import { createZenviaChannel } from '../../modules/messaging/adapters/zenvia/zenvia-channel.ts';
import type { ChannelCredentials, MessagingChannel } from '../../modules/messaging/ports/messaging-channel.ts';
import { PIX_TEMPLATE_TEXTS, TEMPLATE_TEXTS } from '../../modules/messaging/texts/templates.ts';
import { createUnsubscribeLinks } from '../../modules/messaging/use-cases/unsubscribe.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { addressOf, domainOf } from '../../platform/mail/mailbox.ts';
import { createSmtpMailer } from '../../platform/mail/smtp/smtp-mailer.ts';

export type RealChannels = Readonly<Partial<Record<RealChannel, MessagingChannel>>>;

/** Where channels post messages and states. */
export const webhookUrlOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, channel: RealChannel): string =>
  `${publicUrl}/api/messaging/${channel === 'email' ? 'email-events' : channel}`;

/** The addresses to which bounces and answers return. The link's secret signs them, because both are of one kind. */
export const composeEmailAddresses = (config: Config): EmailAddresses | null =>
  config.mailFrom === undefined
    ? null
    : createEmailAddresses({
        secrets: config.receiptSecret,
        returnDomain: config.mailReturnDomain ?? domainOf(addressOf(config.mailFrom)),
        fromDomain: domainOf(addressOf(config.mailFrom)),
      });

/** Creates the adapters of the channels that the deployment uses. */
export function composeChannels(config: Config, db: Database): RealChannels {
  const used = config.messagingChannels.flatMap((name) => {
    const channel = composeChannel(config, db, name);
    return channel === null ? [] : [[name, channel] as const];
  });
  return Object.fromEntries(used);
}

/** Returns null for e-mail without a mail server. */
export function composeChannel(config: Config, db: Database, name: RealChannel): MessagingChannel | null {
  switch (name) {
    case 'whatsapp':
      return createWhatsAppChannel({
        baseUrl: config.whatsappBaseUrl,
        templates: [...TEMPLATE_TEXTS, ...PIX_TEMPLATE_TEXTS],
        clockOffsetMs: config.clockOffset,
      });
    case 'twilio':
      return createTwilioChannel({
        baseUrl: config.twilioBaseUrl,
        statusCallbackUrl: webhookUrlOf(config, 'twilio'),
      });
    case 'zenvia':
      return createZenviaChannel({ baseUrl: config.zenviaBaseUrl });
    case 'email':
      return composeEmail(config, db);
  }
}

function composeEmail(config: Config, db: Database): MessagingChannel | null {
  const addresses = composeEmailAddresses(config);
  const { smtpUrl, mailFrom, publicUrl, receiptSecret } = config;
  if (smtpUrl === undefined || mailFrom === undefined || addresses === null) return null;
  const links = createUnsubscribeLinks({ secrets: receiptSecret, publicUrl });
  return createEmailChannel({
    mailer: createSmtpMailer({ url: smtpUrl, from: mailFrom }),
    fromAddress: addressOf(mailFrom),
    addresses,
    publicUrl,
    creditorName: async (clientId) => {
      const [client] = await db.readPrepared({ clientId }, NAME_OF_CLIENT, { clientId });
      if (client === undefined) throw new Error('The client does not exist.');
      return client.name;
    },
    unsubscribeUrl: (message) => links.url(message),
    rightsUrl: (debt) => rightsUrlOfDebt({ db, publicUrl }, debt),
  });
}

/** The senders of the deployment of one company, which its environment names. */
export function configuredCredentials(config: Config, channel: RealChannel): ChannelCredentials | null {
  const [webhookSecret = null] = config.messagingWebhookSecret;
  const { whatsappToken, whatsappPhoneNumberId, twilioAuthToken, twilioFrom, zenviaToken, zenviaFrom } = config;
  if (channel === 'whatsapp') {
    if (whatsappToken === undefined || whatsappPhoneNumberId === undefined) return null;
    const accountId = config.whatsappBusinessAccountId ?? null;
    return { senderId: whatsappPhoneNumberId, accountId, accessToken: whatsappToken, webhookSecret };
  }
  if (channel === 'twilio') {
    if (twilioAuthToken === undefined || twilioFrom === undefined) return null;
    const accountId = config.twilioAccountSid ?? null;
    return { senderId: twilioFrom, accountId, accessToken: twilioAuthToken, webhookSecret: twilioAuthToken };
  }
  if (channel === 'zenvia') {
    if (zenviaToken === undefined || zenviaFrom === undefined) return null;
    return { senderId: zenviaFrom, accountId: null, accessToken: zenviaToken, webhookSecret };
  }
  return config.mailFrom === undefined
    ? null
    : { senderId: addressOf(config.mailFrom), accountId: null, accessToken: '', webhookSecret };
}
