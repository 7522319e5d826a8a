import type { OutgoingContext, OutgoingDocument } from './outgoing.ts';

export interface Mail {
  /** A UUID of ours and the start of the `Message-ID`: the same mail sent twice can be recognised. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly document?: OutgoingDocument;
  readonly context: OutgoingContext;
}

export interface Mailer {
  /** Resolves once the next server has taken responsibility for it. */
  send(mail: Mail): Promise<void>;
}

/**
 * - `retryable`: surely not sent; later may work.
 * - `unknown_outcome`: it may have been sent; sending again may be a second mail.
 * - `rejected`: this address or this mail is refused for good.
 * - `unauthorized`: our login is refused; an operator has to act.
 */
export type MailerErrorKind = 'retryable' | 'unknown_outcome' | 'rejected' | 'unauthorized';

export class MailerError extends Error {
  readonly kind: MailerErrorKind;
  /** The server's own three digits. */
  readonly smtpStatus: number | undefined;

  constructor(kind: MailerErrorKind, message: string, smtpStatus?: number) {
    super(message);
    this.name = 'MailerError';
    this.kind = kind;
    this.smtpStatus = smtpStatus;
  }
}
