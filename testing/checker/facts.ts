import type { Entry } from './log.ts';

/** What the checker knows, and all that it knows: the log of the fakes, the database, and Temporal's histories. */
export interface Facts {
  readonly log: readonly Entry[];
  readonly debts: readonly DebtFact[];
  readonly charges: readonly ChargeFact[];
  readonly receipts: readonly ReceiptFact[];
  readonly messages: readonly MessageFact[];
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
  readonly providerPaymentId: string | null;
  readonly approved: boolean;
  readonly paidCentavos: number;
  readonly duplicate: boolean;
}

export interface ReceiptFact {
  readonly debtId: string;
  readonly chargeId: string;
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

export interface WorkflowFact {
  readonly workflowId: string;
  /** As Temporal names it, in capitals. */
  readonly status: string;
  /** Failures of workflow tasks that the code of the workflow causes; a killed worker causes time-outs only. */
  readonly codeFailures: number;
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
