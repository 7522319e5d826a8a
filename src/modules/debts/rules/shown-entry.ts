import type { Author } from '../../accounts/rules/author.ts';
import type { AttachmentKind, AttachmentState } from './attachment-kinds.ts';
import type { TimelineEntry, TimelineKind } from './timeline-entry.ts';

/** A file that the debtor sent. `bytes` is the size of the content, once it is stored. */
export interface ShownAttachment {
  readonly id: string;
  readonly kind: AttachmentKind;
  readonly contentType: string | null;
  readonly filename: string | null;
  readonly bytes: number | null;
  readonly state: AttachmentState;
}

/** What an entry is shown with, which is stored beside the timeline so that it can be erased. */
interface ShownWith {
  readonly note: { readonly text: string };
  readonly message_sent: {
    readonly text: string | null;
    readonly author?: 'staff';
    readonly delivery: 'waiting' | 'sent' | 'delivered' | 'read' | 'failed' | 'unknown' | null;
  };
  /** The staff's own words. */
  readonly status_changed: { readonly reason?: string };
  readonly payment_approved: { readonly note?: string };
  readonly payment_duplicate: { readonly note?: string };
  readonly payment_changed: { readonly note?: string };
}

/** What staff do. The other kinds are written by the service, also where a request of theirs was the occasion. */
export const STAFF_KINDS = [
  'note',
  'message_sent',
  'status_changed',
  'debt_changed',
  'payment_approved',
  'payment_duplicate',
  'payment_changed',
  'offer_made',
  'agreement_accepted',
  'agreement_changed',
  'listed',
  'listing_removed',
] as const satisfies readonly TimelineKind[];

type StaffKind = (typeof STAFF_KINDS)[number];

/** The member who did it. */
type Authored<Kind> = Kind extends StaffKind ? { readonly by?: Author } : unknown;

type Shown<Entry> = Entry extends { readonly kind: infer Kind extends TimelineKind }
  ? { readonly at: string } & Omit<Entry, 'ended'> &
      (Kind extends keyof ShownWith ? ShownWith[Kind] : unknown) &
      Authored<Kind>
  : never;

/**
 * An entry of a timeline as the API answers it. For the steps that all debts of a campaign take at once (`imported`,
 * `scored`) nothing is stored.
 */
export type ShownEntry =
  | Shown<Exclude<TimelineEntry, { readonly kind: 'message_received' }>>
  | {
      readonly at: string;
      readonly kind: 'message_received';
      readonly channel: string;
      readonly text: string | null;
      /** Null until the message is understood. */
      readonly intent: string | null;
      /** How long the text was before it was cut. */
      readonly cutFrom?: number;
      readonly attachments?: readonly ShownAttachment[];
    }
  | { readonly at: string; readonly kind: 'imported'; readonly by?: Author }
  | { readonly at: string; readonly kind: 'scored'; readonly score: number | null };
