import { createTransport } from 'nodemailer';
import { type Mail, type Mailer, MailerError } from '../../../ports/mailer.ts';

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
  readonly responseCode?: unknown;
  readonly syscall?: unknown;
  readonly timeoutType?: unknown;
}

export function createSmtpMailer(options: SmtpMailerOptions): Mailer {
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
  const domain = /@([^\s>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';

  return {
    async send(mail) {
      if (!/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(mail.to)) throw new MailerError('rejected', 'the address is malformed');
      try {
        await transport.sendMail(messageOf(mail, from, domain));
      } catch (error) {
        throw toMailerError(typeof error === 'object' && error !== null ? error : {});
      }
    },
  };
}

function messageOf(mail: Mail, from: string, domain: string) {
  const { document } = mail;
  return {
    from,
    // The recipient is an object, because the library may read several recipients from a text.
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    messageId: `<${mail.id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...(mail.html === undefined ? {} : { html: mail.html }),
    ...(document === undefined
      ? {}
      : {
          attachments: [
            { filename: document.filename, contentType: document.contentType, content: Buffer.from(document.content) },
          ],
        }),
  };
}

/**
 * Passes on only the library's codes, because its texts repeat addresses. A failure that does not prove that the mail
 * was not sent has an unknown outcome.
 */
function toMailerError(failure: SmtpFailure): MailerError {
  const status = typeof failure.responseCode === 'number' ? failure.responseCode : undefined;
  const code = typeof failure.code === 'string' ? failure.code : 'unknown';
  const what = `SMTP: ${code}${status === undefined ? '' : ` ${status}`}`;
  if (status !== undefined && status >= 400 && status < 500) return new MailerError('retryable', what, status);
  if (code === 'EAUTH') return new MailerError('unauthorized', what, status);
  if (status !== undefined && status >= 500) return new MailerError('rejected', what, status);
  return new MailerError(surelyUnsent(code, failure) ? 'retryable' : 'unknown_outcome', what, status);
}

function surelyUnsent(code: string, failure: SmtpFailure): boolean {
  return (
    ['EDNS', 'ETLS', 'EREQUIRETLS', 'EPROXY'].includes(code) ||
    failure.syscall === 'connect' ||
    failure.timeoutType === 'CONNECT_TIMEOUT' ||
    failure.timeoutType === 'GREETING_TIMEOUT'
  );
}
