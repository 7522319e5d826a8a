import { foldForSms, MAX_SEGMENTS, type SegmentRules, smsSize } from '../../../../kernel/sms-text.ts';
import { MAX_TEXT_LENGTH, MessagingError, type OutgoingMessage } from '../../ports/messaging-channel.ts';

/** Carriers deliver no SMS to a Brazilian landline, and a number that is surely none costs no call. */
const BRAZILIAN_MOBILE = /^\+55[1-9]\d9\d{8}$/;

/**
 * Returns what is sent, or throws before anything is. A document is not sent: the text of its message names the address
 * at which it can be downloaded.
 */
export function prepareSms(
  { to, text }: Pick<OutgoingMessage, 'to' | 'text'>,
  rules: SegmentRules,
): { readonly phone: string; readonly body: string } {
  if (!BRAZILIAN_MOBILE.test(to.phone)) {
    throw new MessagingError('undeliverable', 'the recipient is not a Brazilian mobile phone');
  }
  const body = text.length > MAX_TEXT_LENGTH ? '' : foldForSms(text);
  if (body === '') throw new MessagingError('rejected', `a text must have 1 to ${MAX_TEXT_LENGTH} characters`);
  const { segments, alphabet } = smsSize(body, rules);
  if (segments > MAX_SEGMENTS) {
    throw new MessagingError('rejected', `the text needs more than ${MAX_SEGMENTS} segments (${alphabet})`);
  }
  return { phone: to.phone, body };
}
