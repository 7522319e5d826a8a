import type { MailerError, MailerErrorStage } from '../../../../kernel/ports/mailer.ts';
import { MessagingError, type MessagingErrorKind } from '../../ports/messaging-channel.ts';

const CLOSING = 421;

/** A permanent refusal concerns what the server refused: the person, the mail, or the service as a sender. */
const PERMANENT: Readonly<Record<MailerErrorStage, MessagingErrorKind>> = {
  connection: 'suspended',
  sender: 'suspended',
  recipient: 'undeliverable',
  content: 'rejected',
};

/** SMTP names no time to wait. Whoever receives the message of the error learns only codes. */
export function toMessagingError(error: MailerError): MessagingError {
  const channelCode = error.enhancedStatus ?? error.smtpStatus?.toString();
  return new MessagingError(error.kind === 'rejected' ? PERMANENT[error.stage] : error.kind, error.message, {
    scope: concernsSender(error) ? 'sender' : 'recipient',
    ...(channelCode === undefined ? {} : { channelCode }),
  });
}

/**
 * A refused connection may be an accident, so it does not slow the sender down. A server that answers and asks for
 * patience before it knows the recipient means every mail of the service; `4.7` for a recipient is greylisting.
 */
function concernsSender({ kind, stage, smtpStatus, enhancedStatus }: MailerError): boolean {
  if (kind !== 'retryable' || smtpStatus === undefined) return false;
  if (smtpStatus === CLOSING || stage === 'sender' || stage === 'connection') return true;
  return stage === 'content' && enhancedStatus?.startsWith('4.7.') === true;
}
