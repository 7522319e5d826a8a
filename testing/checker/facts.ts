import type { Entry } from './log.ts';

/** What the checker knows, and all that it knows: the log of the fakes, the database, and Temporal's histories. */
export interface Facts {
  readonly log: readonly Entry[];
  readonly debts: readonly DebtFact[];
  readonly charges: readonly ChargeFact[];
  readonly receipts: readonly ReceiptFact[];
  readonly messages: readonly MessageFact[];
  /** The booked contacts, which count for the caps. Moments are epoch milliseconds by the clock of the service. */
  readonly bookings: readonly { readonly messageId: string; readonly at: number }[];
  readonly notifications: readonly { readonly chargeId: string; readonly handled: boolean }[];
  readonly outbox: readonly {
    readonly workflowId: string;
    readonly delivered: boolean;
    readonly error: string | null;
  }[];
  readonly events: readonly { readonly id: string; readonly clientId: string }[];
  readonly deliveries: readonly {
    readonly clientId: string;
    readonly eventId: string;
    readonly state: string;
  }[];
  readonly agreements: readonly AgreementFact[];
  readonly offers: readonly OfferFact[];
  /** Every version of what a client offers. */
  readonly policies: readonly PolicyFact[];
  readonly workflows: readonly WorkflowFact[];
}

export interface DebtFact {
  readonly id: string;
  readonly clientId: string;
  readonly invoiceId: string | null;
  readonly status: string;
  readonly amountCentavos: number;
  readonly campaignStatus: string;
}

export interface ChargeFact {
  readonly id: string;
  readonly debtId: string;
  /** The agreement that the money pays. */
  readonly agreementId: string | null;
  /** The payment by an agreement of which this is what the debt got. */
  readonly partOf: string | null;
  readonly providerPaymentId: string | null;
  readonly approved: boolean;
  readonly paidCentavos: number;
  /** What of it was credited to the debt; what is less than it was paid is too much, or is held by an agreement. */
  readonly creditedCentavos: number;
  readonly principalCentavos: number;
  readonly duplicate: boolean;
}

export interface ReceiptFact {
  readonly debtId: string;
  readonly chargeId: string;
  readonly kind: string;
  readonly protocol: string;
  readonly drawn: boolean;
  readonly revoked: boolean;
}

export interface MessageFact {
  readonly id: string;
  readonly clientId: string;
  readonly debtId: string;
  readonly alsoAbout: readonly string[];
  readonly direction: 'in' | 'out';
  readonly purpose: string | null;
  readonly delivery: string | null;
  readonly channelMessageId: string | null;
  readonly handled: boolean;
}

/** Moments are epoch milliseconds by the clock of the service. */
export interface AgreementFact {
  readonly id: string;
  readonly clientId: string;
  readonly offerId: string;
  readonly protocol: string;
  readonly status: string;
  readonly totalCentavos: number;
  readonly discountCentavos: number;
  readonly instalments: readonly InstalmentFact[];
  readonly breachAfterDays: number;
  readonly afterBreach: string;
  readonly acceptedAt: number;
  /** The message that accepted it. */
  readonly acceptedIn: string | null;
  readonly endedAt: number | null;
  /** With what each debt is to get, in the order in which money is credited. */
  readonly debts: readonly { readonly debtId: string; readonly centavos: number; readonly owedCentavos: number }[];
}

export interface InstalmentFact {
  readonly number: number;
  readonly dueDate: string;
  readonly amountCentavos: number;
}

export interface OfferFact {
  readonly id: string;
  readonly clientId: string;
  readonly totalCentavos: number;
  readonly discountCentavos: number;
  readonly entryCentavos: number;
  readonly instalments: readonly InstalmentFact[];
  readonly madeOn: string;
  readonly validUntil: string;
  readonly madeBy: string;
  readonly policyVersion: number;
  readonly debts: readonly {
    readonly debtId: string;
    readonly owedCentavos: number;
    readonly discountCentavos: number;
    readonly originalCentavos: number;
    readonly paidCentavos: number;
    readonly dueDate: string;
  }[];
}

export interface PolicyFact {
  readonly clientId: string;
  readonly version: number;
  readonly policy: {
    readonly bands: readonly {
      readonly fromDays: number;
      readonly toDays: number | null;
      readonly maxDiscountPercent: number;
    }[];
    readonly discountOn: string;
    readonly minEntryPercent: number;
    readonly minInstalmentCentavos: number;
    readonly maxInstalments: number;
    readonly maxDaysToFirst: number;
    readonly holdDays: number;
  } | null;
}

export interface WorkflowFact {
  readonly workflowId: string;
  /** As Temporal names it, in capitals. */
  readonly status: string;
  /** Failures of workflow tasks that the code of the workflow causes; a killed worker causes time-outs only. */
  readonly codeFailures: number;
  /** Timers that were started and have neither fired nor been cancelled. */
  readonly timers: number;
}

export interface Violation {
  readonly rule: string;
  readonly what: string;
}

/** The name of the function is the name of the rule. */
export type Rule = (facts: Facts) => readonly string[];

export const groupBy = <Item>(items: readonly Item[], key: (item: Item) => string): ReadonlyMap<string, Item[]> => {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
};
