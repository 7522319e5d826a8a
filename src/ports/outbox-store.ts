/** What waits to be told to the workflow engine. Payloads are ids and plain numbers only: they end up in histories. */
export type OutboxKind = 'start' | 'signal' | 'signal_with_start' | 'batch_signal';

export type OutboxPayload = Readonly<Record<string, string | number | boolean | null>>;

export interface OutboxRow {
  readonly id: string;
  readonly kind: OutboxKind;
  readonly workflow: string;
  readonly workflowId: string;
  readonly signal: string | null;
  /** Of a start: the input of the workflow. Of a batch signal: which workflows, `{ campaignId }` or `{ clientId }`. */
  readonly payload: OutboxPayload;
  /** How often it was claimed, this time included. */
  readonly attempts: number;
  /** How often it was asked for under one key; a mark counts only for those that the claim saw. */
  readonly requests: number;
}

export interface OutboxDepth {
  readonly waiting: number;
  readonly oldestSeconds: number;
}

export interface OutboxStore {
  /** Leases up to `limit` rows that are due: no one else gets them until the lease (30 s) is over. */
  claim(limit: number): Promise<readonly OutboxRow[]>;
  delivered(rows: readonly Pick<OutboxRow, 'id' | 'requests'>[]): Promise<void>;
  /** `error` holds no personal data. */
  failed(id: string, error: string, retryAt: Date): Promise<void>;
  depth(): Promise<OutboxDepth>;
  /** Deletes what was delivered before that moment; returns how many. */
  purge(deliveredBefore: Date): Promise<number>;
}
