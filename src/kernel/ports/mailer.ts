import type { OutgoingContext, OutgoingDocument } from './outgoing.ts';

export interface Mail {
  /** The service's own UUID. The `Message-ID` begins with it, so that the same mail sent twice can be recognised. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly document?: OutgoingDocument;
  /** The name that stands before the service's address in `From`. */
  readonly fromName?: string;
  readonly replyTo?: string;
  /** The sender of the envelope, to which bounces return. Without it that is the address in `From`. */
  readonly returnPath?: string;
  /** The `Message-ID` without its angle brackets; it begins with `id`. */
  readonly messageId?: string;
  /** Further headers, in ASCII. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly context: OutgoingContext;
}

export interface Mailer {
  /** Resolves once the next mail server has accepted the mail. */
  send(mail: Mail): Promise<void>;
}

/** A mailer that can ask its server whether it accepts the service's login. */
export interface CheckedMailer extends Mailer {
  /** Throws a `MailerError`. */
  check(): Promise<void>;
}

/**
 * - `retryable`: the mail was certainly not sent; a later attempt may succeed.
 * - `unknown_outcome`: the mail may have been sent, so another attempt may send it twice.
 * - `rejected`: the server refuses this address or this mail permanently.
 * - `unauthorized`: the server refuses the service's login; an operator has to act.
 */
export type MailerErrorKind = 'retryable' | 'unknown_outcome' | 'rejected' | 'unauthorized';

/** What the server refused: to talk at all, the address that sends, the one that receives, or the mail itself. */
export type MailerErrorStage = 'connection' | 'sender' | 'recipient' | 'content';

export interface MailerErrorOptions {
  /** The three-digit status of the server's reply. */
  readonly smtpStatus?: number | undefined;
  /** The enhanced status of the reply (RFC 3463), such as `5.1.1`. */
  readonly enhancedStatus?: string | undefined;
  readonly stage?: MailerErrorStage;
}

export class MailerError extends Error {
  readonly kind: MailerErrorKind;
  readonly smtpStatus: number | undefined;
  readonly enhancedStatus: string | undefined;
  readonly stage: MailerErrorStage;

  constructor(kind: MailerErrorKind, message: string, options: MailerErrorOptions = {}) {
    super(message);
    this.name = 'MailerError';
    this.kind = kind;
    this.smtpStatus = options.smtpStatus;
    this.enhancedStatus = options.enhancedStatus;
    this.stage = options.stage ?? 'connection';
  }
}
