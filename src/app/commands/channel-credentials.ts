import { z } from 'zod';
import type { RealChannel } from '../../kernel/messaging-channels.ts';
import type { ChannelCredentials } from '../../modules/messaging/ports/messaging-channel.ts';
import { type CredentialForm, readCredentials } from './read-credentials.ts';

const secret = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,1024}$/);
const metaId = z
  .string()
  .trim()
  .regex(/^\d{1,32}$/);

const whatsapp = z.object({
  phoneNumberId: metaId,
  businessAccountId: metaId,
  accessToken: secret,
  appSecret: secret,
});
const twilio = z.object({
  accountSid: z
    .string()
    .trim()
    .regex(/^AC[0-9a-fA-F]{32}$/),
  authToken: secret,
  from: z
    .string()
    .trim()
    .regex(/^(?:\+[1-9]\d{7,14}|\d{3,8})$/),
});
const zenvia = z.object({
  token: secret,
  from: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]{1,64}$/),
  // It is all that protects the address to which Zenvia posts.
  webhookSecret: secret.min(32).nullish(),
});

/** `webhookSecret` is null where the service chooses the secret itself. */
type Form = CredentialForm<ChannelCredentials, string>;

const FORMS: Readonly<Record<Exclude<RealChannel, 'email'>, Form>> = {
  whatsapp: {
    member: 'whatsapp',
    schema: whatsapp.transform(({ phoneNumberId, businessAccountId, accessToken, appSecret }) => ({
      senderId: phoneNumberId,
      accountId: businessAccountId,
      accessToken,
      webhookSecret: appSecret,
    })),
    example:
      '{"whatsapp": {"phoneNumberId": "…", "businessAccountId": "…", "accessToken": "…", "appSecret": "…"}}, both ids in digits',
    questions: {
      phoneNumberId: 'WhatsApp phone number id (digits; not the number)',
      businessAccountId: 'WhatsApp business account id (digits)',
      accessToken: 'Token of the system user',
      appSecret: 'App secret',
    },
  },
  twilio: {
    member: 'twilio',
    schema: twilio.transform(({ accountSid, authToken, from }) => ({
      senderId: from,
      accountId: accountSid,
      accessToken: authToken,
      // Twilio signs what it posts with the same token.
      webhookSecret: authToken,
    })),
    example:
      '{"twilio": {"accountSid": "AC…", "authToken": "…", "from": "+55…"}}, where from is a number with + or a short code',
    questions: {
      accountSid: 'Twilio account SID (AC…)',
      authToken: 'Twilio auth token',
      from: 'Sender: a number of the account with + and country code, or a short code',
    },
  },
  zenvia: {
    member: 'zenvia',
    schema: zenvia.transform(({ token, from, webhookSecret }) => ({
      senderId: from,
      accountId: null,
      accessToken: token,
      webhookSecret: webhookSecret ?? null,
    })),
    example: '{"zenvia": {"token": "…", "from": "…"}}, where from is the sender of the SMS account, without spaces',
    questions: {
      token: 'Zenvia token',
      from: 'Sender of the SMS account',
      webhookSecret: 'Secret of its notifications (empty: one is made)',
    },
  },
};

export const readChannelCredentials = (
  channel: Exclude<RealChannel, 'email'>,
  file: string | undefined,
): Promise<ChannelCredentials> => readCredentials(FORMS[channel], file);
