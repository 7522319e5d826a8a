/** What the sandbox adapters keep, shared by all instances: the simulated bank's charges and what would have been sent. */
export type SandboxChargeStatus = 'pending' | 'approved' | 'cancelled' | 'refunded' | 'charged_back';

export interface SandboxCharge {
  /** `sbx_` and a UUID. */
  readonly id: string;
  readonly idempotencyKey: string;
  /** Tells a repeated call from another call that uses the same key. */
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
  /** The `updatedAt` that the receiver has confirmed; a change is still to be told while this is older. */
  readonly notifiedAt: Date;
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
> & { readonly updatedAt: Date };

export interface SandboxChargeStore {
  /** Stores it, or returns the one stored before with the same `idempotencyKey`. */
  insert(charge: SandboxCharge): Promise<SandboxCharge>;
  get(id: string): Promise<SandboxCharge | null>;
  /** The newest first. */
  findByExternalReference(externalReference: string): Promise<readonly SandboxCharge[]>;
  /** One conditional update: `null`, and nothing changed, unless the charge is in one of the statuses `from`. */
  change(id: string, from: readonly SandboxChargeStatus[], change: SandboxChargeChange): Promise<SandboxCharge | null>;
  /** Raises `notifiedAt`, never lowers it. */
  markNotified(id: string, notifiedAt: Date): Promise<void>;
  /** Charges whose `notifiedAt` is older than their `updatedAt`, the oldest change first. */
  listUnnotified(limit: number): Promise<readonly SandboxCharge[]>;
}

export interface SandboxDocument {
  readonly filename: string;
  readonly url: string;
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
  readonly document: SandboxDocument | null;
  readonly at: Date;
}

export interface SandboxOutboxStore {
  /** Does nothing when an item of this id is there already. */
  insert(item: SandboxOutboxItem): Promise<void>;
}
