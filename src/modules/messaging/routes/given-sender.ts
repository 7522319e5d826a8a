import { z } from 'zod';
import type { GivenSender } from '../rules/given-sender.ts';

const secret = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,1024}$/);
const metaId = z
  .string()
  .trim()
  .regex(/^\d{1,32}$/);

const whatsapp = z.object({
  phoneNumberId: metaId.describe('The id of the phone number, not the number'),
  businessAccountId: metaId.describe('The id of the WhatsApp Business account'),
  accessToken: secret.describe('The token of a system user'),
  appSecret: secret.describe('The secret of the app, by which Meta signs what it posts'),
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
    .regex(/^(?:\+[1-9]\d{7,14}|\d{3,8})$/)
    .describe('A number of the account with + and country code, or a short code'),
});
const zenvia = z.object({
  token: secret,
  from: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]{1,64}$/)
    .describe('The sender of the SMS account'),
  // It is all that protects the address to which Zenvia posts.
  webhookSecret: secret.min(32).nullish().describe('The secret of its notifications; without it one is made'),
});

const ofWhatsApp = (form: z.output<typeof whatsapp>): GivenSender => ({
  channel: 'whatsapp',
  senderId: form.phoneNumberId,
  accountId: form.businessAccountId,
  accessToken: form.accessToken,
  webhookSecret: form.appSecret,
});
const ofTwilio = (form: z.output<typeof twilio>): GivenSender => ({
  channel: 'twilio',
  senderId: form.from,
  accountId: form.accountSid,
  accessToken: form.authToken,
  // Twilio signs what it posts with the same token.
  webhookSecret: form.authToken,
});
const ofZenvia = (form: z.output<typeof zenvia>): GivenSender => ({
  channel: 'zenvia',
  senderId: form.from,
  accountId: null,
  accessToken: form.token,
  webhookSecret: form.webhookSecret ?? null,
});

/** The forms of the channels that want credentials, which the operator's command reads from a file. */
export const SENDER_FORMS = {
  whatsapp: whatsapp.transform(ofWhatsApp),
  twilio: twilio.transform(ofTwilio),
  zenvia: zenvia.transform(ofZenvia),
} as const;

const named = z.discriminatedUnion('channel', [
  whatsapp.extend({ channel: z.literal('whatsapp') }),
  twilio.extend({ channel: z.literal('twilio') }),
  zenvia.extend({ channel: z.literal('zenvia') }),
  z.object({ channel: z.literal('email') }),
]);

/** The same as a body of the API, which names the channel. */
export const givenSender = named.transform((form): GivenSender => {
  switch (form.channel) {
    case 'whatsapp':
      return ofWhatsApp(form);
    case 'twilio':
      return ofTwilio(form);
    case 'zenvia':
      return ofZenvia(form);
    case 'email':
      return form;
  }
});
