import { z } from 'zod';
import { foldForSms, STRICT_SEGMENTS } from '../../../../kernel/sms-text.ts';
import type { CheckedSender, MessagingChannel } from '../../ports/messaging-channel.ts';
import { MessagingError } from '../../ports/messaging-channel.ts';
import { SMS_CAPABILITIES } from '../sms/capabilities.ts';
import { prepareSms } from '../sms/prepare-sms.ts';
import { createZenviaApi, type ZenviaApiOptions } from './zenvia-api.ts';

/** The name of the SMS account that Zenvia has set up; the debtor sees a short code. */
const ALIAS = /^[\x21-\x7e]{1,64}$/;
const sentAnswer = z.object({ id: z.string().regex(/^[\x21-\x7e]{1,100}$/) });

export function createZenviaChannel(options: ZenviaApiOptions = {}): MessagingChannel {
  const call = createZenviaApi(options);
  return {
    name: 'zenvia',
    capabilities: SMS_CAPABILITIES,

    formsOf: ({ text }) => [foldForSms(text)],

    async send(message) {
      const { credentials, id } = message;
      const from = aliasOf(credentials?.senderId);
      const { phone, body } = prepareSms(message, STRICT_SEGMENTS);
      const answer = await call({
        method: 'POST',
        path: '/channels/sms/messages',
        credentials,
        // Delivery states repeat `externalId`.
        body: { from, to: phone.slice(1), externalId: id, contents: [{ type: 'text', text: body }] },
        answer: sentAnswer,
      });
      return { channelMessageId: answer.id, channelUserId: null };
    },

    /** Zenvia has no call that tells which senders an account has, so a wrong alias shows with the first message. */
    async checkCredentials(credentials): Promise<CheckedSender> {
      const alias = aliasOf(credentials?.senderId);
      await call({ method: 'GET', path: '/subscriptions', credentials, answer: z.array(z.unknown()) });
      return { shownAs: alias, peoplePerDay: null };
    },
  };
}

function aliasOf(senderId: string | undefined): string {
  if (senderId === undefined || !ALIAS.test(senderId)) {
    throw new MessagingError('unauthorized', 'there is no usable sender');
  }
  return senderId;
}
