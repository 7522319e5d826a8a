import type { OutgoingContext, OutgoingDocument } from './outgoing.ts';

export interface Mail {
  /** The service's own UUID. The `Message-ID` begins with it, so that the same mail sent twice can be recognised. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly document?: OutgoingDocument;
  readonly context: OutgoingContext;
}

export interface Mailer {
  /** Resolves once the next mail server has accepted the mail. */
  send(mail: Mail): Promise<void>;
}

/**
 * - `retryable`: the mail was certainly not sent; a later attempt may succeed.
 * - `unknown_outcome`: the mail may have been sent, so another attempt may send it twice.
 * - `rejected`: the server refuses this address or this mail permanently.
 * - `unauthorized`: the server refuses the service's login; an operator has to act.
 */
export type MailerErrorKind = 'retryable' | 'unknown_outcome' | 'rejected' | 'unauthorized';

export class MailerError extends Error {
  readonly kind: MailerErrorKind;
  /** The three-digit status of the server's reply. */
  readonly smtpStatus: number | undefined;

  constructor(kind: MailerErrorKind, message: string, smtpStatus?: number) {
    super(message);
    this.name = 'MailerError';
    this.kind = kind;
    this.smtpStatus = smtpStatus;
  }
}
