/**
 * Requests that wait for delivery to Temporal. Payloads are ids and plain numbers only, because histories contain them.
 */
export type OutboxKind = 'start' | 'signal' | 'signal_with_start' | 'batch_signal';

export type OutboxPayload = Readonly<Record<string, string | number | boolean | null>>;

export interface OutboxRow {
  readonly id: string;
  readonly kind: OutboxKind;
  readonly workflow: string;
  readonly workflowId: string;
  readonly signal: string | null;
  /**
   * The input of the workflow for a start; the workflows to signal, `{ campaignId }` or `{ clientId }`, for a batch.
   */
  readonly payload: OutboxPayload;
  /** Since when the row was due when it was leased first, and the moment of its creation when it is leased again. */
  readonly dueAt: Date;
  /** How often the row was leased, including this time. */
  readonly attempts: number;
  /** How often the same key was requested. `delivered` confirms only the requests that the lease has read. */
  readonly requests: number;
}

export interface OutboxDepth {
  readonly waiting: number;
  readonly oldestSeconds: number;
}

export interface OutboxStore {
  /** Leases up to `limit` rows that are due: no other process can lease them until this lease (30 s) has expired. */
  lease(limit: number): Promise<readonly OutboxRow[]>;
  /** Returns how many rows are delivered for good. A row that was requested again meanwhile is sent once more. */
  delivered(rows: readonly Pick<OutboxRow, 'id' | 'requests'>[]): Promise<number>;
  /** Makes a row due again at `retryAt` after a failed attempt. `error` must hold no personal data. */
  failed(id: string, error: string, retryAt: Date): Promise<void>;
  depth(): Promise<OutboxDepth>;
  /** Deletes rows that were delivered before that moment, a limited number at once, and returns their number. */
  purge(deliveredBefore: Date): Promise<number>;
}
