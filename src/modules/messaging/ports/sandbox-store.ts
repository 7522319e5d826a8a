import type { ShownDocument } from '../../../kernel/ports/outgoing.ts';
import type { SandboxReversal } from '../../../kernel/reversal-kinds.ts';
import type { SandboxChargeStatus } from '../../../kernel/sandbox-charge-status.ts';

/**
 * What the sandbox adapters store for all instances: the charges of the simulated bank, and the messages that would
 * have been sent.
 */
export interface SandboxCharge {
  /** `sbx_` and a UUID. */
  readonly id: string;
  readonly idempotencyKey: string;
  /** Distinguishes a repeated call from a different call with the same key. */
  readonly fingerprint: string;
  readonly status: SandboxChargeStatus;
  readonly statusDetail: string | null;
  readonly amountCentavos: number;
  readonly paidAmountCentavos: number;
  readonly refundedCentavos: number;
  readonly currency: string;
  readonly externalReference: string;
  readonly brCode: string;
  readonly notificationUrl: string;
  readonly endToEndId: string | null;
  readonly expiresAt: Date;
  readonly paidAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The `updatedAt` that the receiver has confirmed; while it is older than `updatedAt`, a notification is due. */
  readonly notifiedAt: Date;
  /** What went back, one by one; the oldest comes first. */
  readonly reversals: readonly SandboxReversal[];
}

export type SandboxChargeChange = Partial<
  Pick<
    SandboxCharge,
    | 'status'
    | 'statusDetail'
    | 'paidAmountCentavos'
    | 'refundedCentavos'
    | 'currency'
    | 'endToEndId'
    | 'paidAt'
    | 'notifiedAt'
  >
> & {
  readonly updatedAt: Date;
  /** Is added to the reversals of the charge. */
  readonly reversal?: SandboxReversal;
};

export interface SandboxChargeStore {
  /** Stores the charge, or returns the one stored before with the same `idempotencyKey`. */
  insert(charge: SandboxCharge): Promise<SandboxCharge>;
  get(id: string): Promise<SandboxCharge | null>;
  /** Returns the newest first. */
  findByExternalReference(externalReference: string): Promise<readonly SandboxCharge[]>;
  /** One conditional update. Returns `null` and changes nothing unless the charge has one of the statuses `from`. */
  change(id: string, from: readonly SandboxChargeStatus[], change: SandboxChargeChange): Promise<SandboxCharge | null>;
  /**
   * One conditional update that gives so much back of an approved charge. Returns `null` and changes nothing when the charge
   * is not approved, has less left, or has a reversal with this id.
   */
  giveBack(id: string, reversal: SandboxReversal, updatedAt: Date): Promise<SandboxCharge | null>;
  /** Raises `notifiedAt`, never lowers it. */
  markNotified(id: string, notifiedAt: Date): Promise<void>;
  /** Returns charges whose `notifiedAt` is older than their `updatedAt`, the oldest change first. */
  listUnnotified(limit: number): Promise<readonly SandboxCharge[]>;
}

export interface SandboxOutboxItem {
  readonly id: string;
  readonly clientId: string;
  /** `null` for a mail that concerns no debt. */
  readonly debtId: string | null;
  readonly channel: string;
  readonly to: string;
  readonly purpose: string;
  readonly text: string;
  readonly document: ShownDocument | null;
  /** The Pix code that the debtor could copy in the message. */
  readonly pixCode: string | null;
  readonly at: Date;
}

export interface SandboxOutboxStore {
  /** Does nothing when an item with this id exists already. */
  insert(item: SandboxOutboxItem): Promise<void>;
}
