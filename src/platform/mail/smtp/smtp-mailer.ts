import { createTransport } from 'nodemailer';
import {
  type CheckedMailer,
  type Mail,
  MailerError,
  type MailerErrorKind,
  type MailerErrorStage,
} from '../../../kernel/ports/mailer.ts';
import { addressOf, domainOf } from '../mailbox.ts';

export interface SmtpMailerOptions {
  /** `smtp://` or `smtps://`, with user and password where the server requires them. */
  readonly url: string;
  readonly from: string;
  readonly connectTimeoutMs?: number;
  /** How long the server may send nothing once it is connected. */
  readonly silenceTimeoutMs?: number;
}

interface SmtpFailure {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly response?: unknown;
  readonly responseCode?: unknown;
  readonly syscall?: unknown;
  readonly timeoutType?: unknown;
}

export function createSmtpMailer(options: SmtpMailerOptions): CheckedMailer {
  const { url, from, connectTimeoutMs = 10_000, silenceTimeoutMs = 30_000 } = options;
  const transport = createTransport({
    url,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const address = addressOf(from);

  return {
    async send(mail) {
      if (!/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(mail.to)) {
        throw new MailerError('rejected', 'the address is malformed', { stage: 'recipient' });
      }
      await transport.sendMail(messageOf(mail, from, address)).catch(fail);
    },
    async check() {
      await transport.verify().catch(fail);
    },
  };
}

function messageOf(mail: Mail, from: string, address: string) {
  const { document, fromName, html, replyTo, returnPath } = mail;
  // Addresses are objects, because the library may read several addresses from a text.
  const only = (one: string, name = '') => ({ name, address: one });
  return {
    from: fromName === undefined ? from : only(address, fromName),
    to: only(mail.to),
    subject: mail.subject,
    text: mail.text,
    messageId: `<${mail.messageId ?? `${mail.id}@${domainOf(address)}`}>`,
    headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
    ...(replyTo === undefined ? {} : { replyTo: only(replyTo) }),
    ...(returnPath === undefined ? {} : { envelope: { from: returnPath, to: mail.to } }),
    ...(html === undefined ? {} : { html }),
    ...(document === undefined
      ? {}
      : {
          attachments: [
            { filename: document.filename, contentType: document.contentType, content: Buffer.from(document.content) },
          ],
        }),
  };
}

const STAGES: Readonly<Record<string, MailerErrorStage>> = {
  'MAIL FROM': 'sender',
  'RCPT TO': 'recipient',
  DATA: 'content',
};

function fail(error: unknown): never {
  throw toMailerError(typeof error === 'object' && error !== null ? error : {});
}

/**
 * Passes on only codes, because the texts of the library and of servers repeat addresses. A failure that does not prove
 * that the mail was not sent has an unknown outcome.
 */
function toMailerError(failure: SmtpFailure): MailerError {
  const smtpStatus = typeof failure.responseCode === 'number' ? failure.responseCode : undefined;
  const code = typeof failure.code === 'string' ? failure.code : 'unknown';
  const enhancedStatus = enhancedStatusOf(failure.response);
  const what = ['SMTP:', code, smtpStatus, enhancedStatus].filter((part) => part !== undefined).join(' ');
  const stage = STAGES[String(failure.command)] ?? 'connection';
  return new MailerError(kindOf(code, smtpStatus, failure), what, { smtpStatus, enhancedStatus, stage });
}

function kindOf(code: string, status: number | undefined, failure: SmtpFailure): MailerErrorKind {
  if (status !== undefined && status >= 400 && status < 500) return 'retryable';
  if (code === 'EAUTH' || status === AUTHENTICATION_REQUIRED) return 'unauthorized';
  if (status !== undefined && status >= 500) return 'rejected';
  return surelyUnsent(code, failure) ? 'retryable' : 'unknown_outcome';
}

const AUTHENTICATION_REQUIRED = 530;

function enhancedStatusOf(response: unknown): string | undefined {
  return typeof response === 'string' ? /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] : undefined;
}

function surelyUnsent(code: string, failure: SmtpFailure): boolean {
  return (
    ['EDNS', 'ETLS', 'EREQUIRETLS', 'EPROXY'].includes(code) ||
    failure.syscall === 'connect' ||
    failure.timeoutType === 'CONNECT_TIMEOUT' ||
    failure.timeoutType === 'GREETING_TIMEOUT'
  );
}
