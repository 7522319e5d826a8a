/** Some elements of an import, one after another as they were sent. */
export interface Batch {
  readonly elements: readonly unknown[];
  /** Of a CSV: the spreadsheet's row of each element. */
  readonly rows?: readonly number[];
}

/** About 10 ms of checking; between two batches other requests are answered. */
export const BATCH_ELEMENTS = 500;
