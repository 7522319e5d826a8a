/** Consecutive elements of an import, in the order in which they were sent. */
export interface Batch {
  readonly elements: readonly unknown[];
  /** Only for a CSV: the spreadsheet row of each element. */
  readonly rows?: readonly number[];
}

/**
 * Checking a batch takes about 5 ms, and 30 ms when every debt has as many odd phones as it may have. The event loop
 * answers other requests between two batches.
 */
export const BATCH_ELEMENTS = 250;
