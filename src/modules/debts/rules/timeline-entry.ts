import type { DebtStatus } from '../../../kernel/debt-status.ts';
import type { MessagePurpose } from '../../../kernel/message-purposes.ts';
import type { PaymentMethod } from '../../../kernel/payment-methods.ts';
import type { ReversalKind } from '../../../kernel/reversal-kinds.ts';
import type { EndedByPayment } from './ended-by-payment.ts';

/** What the contact policy said, as it is stored and shown. */
export interface Verdict {
  readonly allowed: boolean;
  readonly rules: readonly string[];
  /** The rules of the pack that allow or block the contact. */
  readonly ruleIds: readonly string[];
  /** `ownVersion` is the version of the client's own rules, where it has some. */
  readonly pack: { readonly id: string; readonly version: string; readonly ownVersion?: number };
  readonly notBefore: string | null;
}

/** What stops a charge until it is solved. */
export const CHARGE_PROBLEMS = [
  'provider_unauthorized',
  'provider_unavailable',
  'charge_refused',
  'unknown_to_provider',
  'reference_mismatch',
  'currency_mismatch',
  'amount_mismatch',
  'paid_amount_missing',
] as const;
export type ChargeProblem = (typeof CHARGE_PROBLEMS)[number];

/** Why the phone in use is given up. */
export type PhoneProblem = 'wrong_person' | 'unreachable' | 'opt_out';

/** Where the old and the new phone or address stand in their lists: the timeline names neither. */
interface Places {
  readonly from: number;
  readonly to: number;
}

/** `method` and `paidAt` say how the client received the money elsewhere. */
interface PaidMoney {
  readonly paymentId: string;
  /** In reais. */
  readonly amount: number;
  /** The parts of it that were credited to something else than the principal. */
  readonly fine?: number;
  readonly interest?: number;
  readonly correction?: number;
  /** What the creditor gave up with it. */
  readonly waived?: number;
  readonly method?: PaymentMethod;
  readonly paidAt?: string;
}

/**
 * What happened to one debt, as the timeline stores it. It has ids, numbers and names of rules, never a debtor's words or
 * personal data, because timelines are kept when a person is erased. The client sees every member.
 */
export type TimelineEntry =
  | { readonly kind: 'needs_person'; readonly reason: 'not_understood' }
  | ({ readonly kind: 'needs_person' } & Forgotten)
  | { readonly kind: 'note'; readonly noteId: string }
  /** `messageId` is the message that was booked as a contact. */
  | (Verdict & { readonly kind: 'verdict'; readonly messageId?: string })
  | { readonly kind: 'charge_created'; readonly paymentId: string }
  | {
      readonly kind: 'message_sent';
      readonly messageId: string;
      readonly channel: string;
      readonly purpose: MessagePurpose;
      /** The version of the client's own wording. */
      readonly textVersion?: number;
      /** A Pix code came with it, to be copied there. */
      readonly pixCode?: true;
      /** With `rules` and `notBefore`: a message of the staff that the policy refused after it was taken. */
      readonly reason?: 'contact_blocked';
      readonly rules?: readonly string[];
      readonly notBefore?: string | null;
    }
  | { readonly kind: 'message_received'; readonly messageId: string; readonly channel: string }
  | ({ readonly kind: 'status_changed'; readonly from: DebtStatus; readonly to: DebtStatus } & BecauseOfMove)
  | ({ readonly kind: 'debt_changed' } & ChangedField)
  | (PaidMoney & { readonly kind: 'payment_approved'; readonly overpaidAmount?: number })
  /** With `covers` the payments before it went back, so that this one pays the debt. */
  | (PaidMoney & { readonly kind: 'payment_duplicate'; readonly covers?: true })
  | ({ readonly kind: 'payment_changed' } & ChangedPayment)
  | {
      readonly kind: 'receipt_issued';
      readonly paymentId: string;
      readonly protocol: string;
      /** Set for the receipt of a part of the debt, which is no quittance of the rest. */
      readonly receipt?: 'part' | 'instalment';
    }
  | {
      readonly kind: 'offer_made';
      readonly offerId: string;
      /** The number by which the debtor accepts it in words. */
      readonly number: number;
      readonly madeBy: 'policy' | 'staff' | 'proposal';
      /** In reais, about all debts of the offer. */
      readonly total: number;
      readonly discount: number;
      /** How many. */
      readonly instalments: number;
      readonly validUntil: string;
    }
  | ({ readonly kind: 'agreement_accepted' } & OfAgreement & {
        readonly acceptedBy: 'page' | 'message' | 'staff';
        /** In reais, about all debts of the agreement. */
        readonly total: number;
        readonly discount: number;
        /** How many. */
        readonly instalments: number;
      })
  | ({ readonly kind: 'instalment_paid' } & OfAgreement & {
        readonly paymentId: string;
        /** Null for money that came by another code, which pays the next instalments. */
        readonly instalment: number | null;
        readonly amount: number;
        /** How the client received the money elsewhere. */
        readonly method?: PaymentMethod;
        /** Nobody is shown it. */
        readonly ended?: EndedByPayment;
      })
  /** A date that the debtor moved, or a person's decision. */
  | ({ readonly kind: 'agreement_changed' } & OfAgreement & ChangedAgreement)
  | ({ readonly kind: 'agreement_broken' } & OfAgreement & {
        readonly paid: number;
        readonly afterBreach: 'restore' | 'keep';
      })
  | ({ readonly kind: 'agreement_completed' } & OfAgreement & { readonly paid: number })
  /** The client says that it has listed the debt at a bureau, or has had the listing removed. */
  | {
      readonly kind: 'listed';
      readonly listingId: string;
      readonly bureau: string;
      readonly listedOn: string;
      readonly notifiedOn: string;
    }
  | {
      readonly kind: 'listing_removed';
      readonly listingId: string;
      readonly bureau: string;
      readonly removedOn: string;
    }
  | {
      readonly kind: 'email_sent';
      readonly purpose: 'receipt';
      readonly protocol: string;
      readonly delivery: 'sent' | 'unknown' | 'failed';
    };

interface OfAgreement {
  readonly agreementId: string;
  readonly protocol: string;
}

type ChangedAgreement =
  | { readonly change: 'moved'; readonly instalment: number; readonly from: string; readonly to: string }
  | { readonly change: 'stopped'; readonly because: string }
  /** `reopened`: a payment that had completed it was taken back. */
  | { readonly change: 'resumed' | 'cancelled' | 'reopened' };

/**
 * Why only the client can say how a debt stands after its database was restored from a backup:
 * - `end_forgotten`: the workflow had ended the debt.
 * - `conversation_forgotten`: the workflow had answered the debtor, or settled a payment.
 */
export type Forgotten =
  | { readonly reason: 'end_forgotten'; readonly endedAs: string }
  | { readonly reason: 'conversation_forgotten'; readonly forgotten: number };

/** By what kind of caller the client asked for the change, and the note that says why. */
export interface BecauseOfClient {
  readonly caller?: 'session' | 'api_key' | 'identity_provider';
  readonly noteId?: string;
}

/** What stands with a change of a debt's status. */
export interface BecauseOfMove extends BecauseOfClient {
  /** Set for a payment. Nobody is shown it. */
  readonly ended?: EndedByPayment;
}

/** Set for money that went back without the client's asking here. */
interface Unasked {
  readonly returnKind?: ReversalKind;
  /** Until when the client may contest it at its bank. */
  readonly contestUntil?: string;
}

export type ChangedField =
  | { readonly field: 'debtorPhone' | 'debtorEmail'; readonly reason: 'corrected' }
  | ({ readonly field: 'debtorPhone'; readonly reason: PhoneProblem } & Places)
  | ({ readonly field: 'debtorEmail'; readonly reason: 'undeliverable' } & Places)
  /** The address in use is another person's. The next one takes over, where there is one. */
  | { readonly field: 'debtorEmail'; readonly reason: 'wrong_person'; readonly from: number; readonly to?: number }
  | { readonly field: 'dueDate'; readonly reason: 'corrected'; readonly from: string; readonly to: string }
  | { readonly field: 'originalAmount'; readonly reason: 'corrected'; readonly from: number; readonly to: number };

export type ChangedPayment =
  | (PaidMoney & { readonly problem: 'underpaid'; readonly expectedAmount: number })
  | { readonly paymentId: string; readonly problem: ChargeProblem }
  | ({ readonly paymentId: string; readonly change: 'refunded'; readonly refundedAmount: number } & Unasked)
  | ({ readonly paymentId: string; readonly change: 'charged_back' | 'chargeback_reversed' } & Unasked)
  | {
      readonly paymentId: string;
      readonly change: 'refund_asked' | 'refund_failed';
      readonly refundId: string;
      /** In reais. */
      readonly amount: number;
    }
  /** The client had recorded it by mistake, so that it counts no more. */
  | { readonly paymentId: string; readonly change: 'undone'; readonly amount: number }
  | { readonly paymentId: string; readonly status: 'REJECTED' };

export type TimelineKind = TimelineEntry['kind'];

/**
 * Whether the purge of ended debts keeps an entry: how the debt ended, and the money, which the client's accounts show for
 * ever. None of these refers to a message or holds a text.
 */
const IS_LASTING: Readonly<Record<TimelineKind, boolean>> = {
  needs_person: false,
  note: false,
  verdict: false,
  charge_created: false,
  message_sent: false,
  message_received: false,
  status_changed: true,
  debt_changed: false,
  payment_approved: true,
  payment_duplicate: true,
  payment_changed: true,
  receipt_issued: true,
  offer_made: false,
  agreement_accepted: true,
  instalment_paid: true,
  agreement_changed: true,
  agreement_broken: true,
  agreement_completed: true,
  listed: true,
  listing_removed: true,
  email_sent: false,
};

export const TIMELINE_KINDS = Object.keys(IS_LASTING) as readonly TimelineKind[];
export const LASTING_KINDS = TIMELINE_KINDS.filter((kind) => IS_LASTING[kind]);
