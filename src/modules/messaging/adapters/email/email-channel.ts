import type { MessagePurpose } from '../../../../kernel/message-purposes.ts';
import { type CheckedMailer, type Mail, MailerError, type MailerErrorStage } from '../../../../kernel/ports/mailer.ts';
import { oneLine } from '../../../../kernel/texts/one-line.ts';
import { formsOfMail } from '../../../../platform/mail/email.ts';
import { domainOf } from '../../../../platform/mail/mailbox.ts';
import {
  MAX_TEXT_LENGTH,
  type MessagingChannel,
  MessagingError,
  type MessagingErrorKind,
  type OutgoingMessage,
} from '../../ports/messaging-channel.ts';
import { messageEmail } from '../../texts/message-email.ts';
import type { EmailAddresses } from './addresses.ts';

const CLOSING = 421;

/** A permanent refusal concerns what the server refused: the person, the mail, or the service as a sender. */
const PERMANENT: Readonly<Record<MailerErrorStage, MessagingErrorKind>> = {
  connection: 'suspended',
  sender: 'suspended',
  recipient: 'undeliverable',
  content: 'rejected',
};

/** SMTP names no time to wait. Whoever receives the message of the error learns only codes. */
function toMessagingError(error: MailerError): MessagingError {
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

export interface EmailChannelOptions {
  readonly mailer: CheckedMailer;
  /** The address that debtors see as the sender. */
  readonly fromAddress: string;
  readonly addresses: EmailAddresses;
  /** The name of a client as its debtors know it. */
  readonly creditorName: (clientId: string) => Promise<string>;
  readonly publicUrl: string;
  /** The signed address at which a debtor asks for silence. */
  readonly unsubscribeUrl: (message: { readonly messageId: string; readonly debtId: string }) => string;
  /** The page of rights of the person of a debt; null when there is none any more. */
  readonly rightsUrl: (debt: { readonly clientId: string; readonly debtId: string }) => Promise<string | null>;
}

/** No further message follows these, so there is nothing to end. */
const ENDS_ANYWAY: readonly OutgoingMessage['context']['purpose'][] = ['receipt', 'opt_out_confirmation'];

/** The deployment sends for all clients from one address; the name before it is the creditor's. */
export function createEmailChannel(options: EmailChannelOptions): MessagingChannel {
  const { mailer, fromAddress, publicUrl } = options;
  return {
    name: 'email',
    capabilities: {
      policyChannel: 'email',
      freeTextWindowMs: null,
      templates: false,
      documents: true,
      pixCodes: false,
      deliveryStates: true,
      texts: 'full',
      reaches: 'email',
      pace: null,
    },

    async send(message) {
      await mailer.send(await mailOf(message, options)).catch(fail);
      return { channelMessageId: message.id, channelUserId: null };
    },

    formsOf: (message) => formsOfMail(messageEmail({ ...message, unsubscribeUrl: endOf(options, message), publicUrl })),

    async checkCredentials() {
      await mailer.check().catch(fail);
      return { shownAs: fromAddress, peoplePerDay: null };
    },
  };
}

/** The address by which the messages end, for a message after which others may come. */
const endOf = (
  { unsubscribeUrl }: Pick<EmailChannelOptions, 'unsubscribeUrl'>,
  { id, debtId, purpose }: { readonly id: string; readonly debtId: string | null; readonly purpose: MessagePurpose },
): string | null =>
  debtId === null || ENDS_ANYWAY.includes(purpose) ? null : unsubscribeUrl({ messageId: id, debtId });

async function mailOf(message: OutgoingMessage, options: EmailChannelOptions): Promise<Mail> {
  const { id, to, text, context, document } = message;
  const { addresses, fromAddress, publicUrl } = options;
  const { clientId, debtId, purpose } = context;
  if (to.email === undefined) throw new MessagingError('undeliverable', 'the recipient has no e-mail address');
  if (text.trim() === '' || text.length > MAX_TEXT_LENGTH) {
    throw new MessagingError('rejected', `a text must have 1 to ${MAX_TEXT_LENGTH} characters`);
  }
  const creditorName = await options.creditorName(clientId).catch(notRead);
  const unsubscribeUrl = endOf(options, { id, debtId, purpose });
  const rightsUrl = debtId === null ? null : await options.rightsUrl({ clientId, debtId }).catch(notRead);
  return {
    ...messageEmail({ creditorName, text, purpose, unsubscribeUrl, rightsUrl, publicUrl }),
    id,
    to: to.email,
    fromName: oneLine(creditorName),
    replyTo: addresses.reply(id),
    returnPath: addresses.bounce(id),
    messageId: addresses.message(id),
    headers: {
      // No mail has this id; it makes mail programs show all mails about one debt as one conversation.
      ...(debtId === null ? {} : { References: `<${debtId}@${domainOf(fromAddress)}>` }),
      ...(unsubscribeUrl === null ? {} : unsubscribeHeaders(unsubscribeUrl, addresses.stop(id))),
    },
    ...(document === undefined ? {} : { document }),
    context,
  };
}

function notRead(): never {
  throw new MessagingError('retryable', 'what the mail says could not be read');
}

/** RFC 8058 requires https for the one click. Without it only the address to write to is left. */
function unsubscribeHeaders(url: string, stopAddress: string): Readonly<Record<string, string>> {
  const mailto = `<mailto:${stopAddress}?subject=PARAR>`;
  return url.startsWith('https:')
    ? { 'List-Unsubscribe': `<${url}>, ${mailto}`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : { 'List-Unsubscribe': mailto };
}

function fail(error: unknown): never {
  throw error instanceof MailerError ? toMessagingError(error) : error;
}
