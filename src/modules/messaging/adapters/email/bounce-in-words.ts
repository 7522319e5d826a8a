import type { Email } from 'postal-mime';
import { failureStatus } from './failure-status.ts';
import type { MailReport } from './mail-facts.ts';

const MAX_BEGIN = 8_000;

/** Behind one of these begins the mail that is returned, whose words are our own. */
const RETURNED = [
  'below this line is a copy',
  'below is a copy of the original',
  'this is a copy of the message',
  'the header of the original message',
  'original message follows',
  '----- original message',
  '--- original message',
  'message headers follow',
  'here is the returned message',
  'returned message below',
  'unsent message below',
  'return-path:',
  '\nreceived:',
];

/** How servers without delivery status notifications say that a mail was not delivered. */
const FAILURES = [
  'hi. this is the qmail-send program at ',
  'unable to deliver',
  'not delivered to',
  'was not delivered',
  'following recipients failed',
  'following recipient failed',
  'some or all of the intended recipients',
  'fatal delivery errors',
  'encountered delivery problems',
  'undeliverable to',
  'no such user here',
  'no mailbox here',
  'able to deliver your message',
  'was not able to deliver',
  'did not reach the following recipient',
  'could not be delivered',
  'cannot be delivered',
  "couldn't be delivered",
  'was undeliverable',
  'error has occurred while attempting to deliver',
  'error occurred while trying to deliver',
  'error delivering your mail',
  'had permanent fatal errors',
  'had delivery errors',
  'failed permanently',
  'delivery has failed',
  'delivery failed',
  'delivery failure',
  'failed recipient',
  'message was rejected',
  'returned to sender',
  'não pôde ser entregue',
  'não foi entregue',
  'não foi possível entregar',
  'nao foi possivel entregar',
];

/** A delay ends in a delivery or in another mail. */
const DELAYS = [
  'warning message only',
  'still undelivered',
  'not yet been delivered',
  'has been delayed',
  'delivery is delayed',
  'will be retried',
  'will continue to be',
  'will keep trying',
  'attempts to deliver the message will continue',
];

/** A mail that a mail server itself has sent: a person may use any of the words above. */
export const isFromServer = (email: Email): boolean => {
  const { name = '', address = '' } = email.from ?? {};
  return (
    /^(?:mailer-daemon|postmaster|mdaemon|mail-daemon|maildaemon|double-bounce)(?:@|$)/i.test(address) ||
    (address === '' && /^mailer-daemon/i.test(name)) ||
    email.headers.some(({ key, value }) => key === 'return-path' && /^<?>?$/.test(value.trim()))
  );
};

/** Older versions of Exim write bounces freely and name the recipients in a header. */
export function bounceInWords(email: Email, text: string): MailReport | null {
  const whole = text.slice(0, MAX_BEGIN);
  const lower = whole.toLowerCase();
  const isExim = email.headers.some(({ key }) => key === 'x-failed-recipients');
  const ends = RETURNED.map((mark) => lower.indexOf(mark)).filter((at) => at > 0);
  const begin = whole.slice(0, Math.min(MAX_BEGIN, ...ends));
  const words = begin.toLowerCase().replace(/\s+/g, ' ');
  const says = (phrases: readonly string[]): boolean => phrases.some((phrase) => words.includes(phrase));
  if (!isExim && !(isFromServer(email) && says(FAILURES))) return null;
  if (says(DELAYS)) return { kind: 'other' };
  return { kind: 'delivery', delivery: 'failed', status: failureStatus('', begin) };
}
