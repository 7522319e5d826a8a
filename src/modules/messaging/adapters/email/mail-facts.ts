import type { AttachmentKind } from '../../../debts/rules/attachment-kinds.ts';

/** A report about a mail of ours: that it was not or was delivered, or that its reader complained. */
export type MailReport =
  | {
      readonly kind: 'delivery';
      readonly delivery: 'delivered' | 'failed';
      /** The enhanced status (RFC 3463), such as `5.1.1`. */
      readonly status: string;
    }
  | { readonly kind: 'complaint' }
  /** A delay, a read mark, or a report of another kind. */
  | { readonly kind: 'other' };

export interface MailAttachment {
  readonly kind: AttachmentKind;
  readonly contentType: string;
  readonly filename: string | null;
}

/** What a mail says, as it was read by a thread that knows no secret: nothing of it is believed yet. */
export interface MailFacts {
  readonly from: string | null;
  readonly messageId: string | null;
  /** Headers that may contain an address of ours: recipients first, then what the mail answers. */
  readonly addressed: string;
  /** The headers of the mail that a report returns. */
  readonly returned: string;
  /** Written by a program, such as an absence note. */
  readonly automatic: boolean;
  readonly report: MailReport | null;
  /** The sender's own words, without quotations. */
  readonly words: string;
  readonly attachments: readonly MailAttachment[];
}
