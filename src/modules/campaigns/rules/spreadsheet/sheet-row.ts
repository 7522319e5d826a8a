/**
 * One cell as the sheet has it. A date has no time zone in a spreadsheet, so it is a text: `2026-11-20`, or
 * `2026-11-20T14:30` when its hour is not midnight. Null is an empty cell.
 */
export type SheetCell = string | number | boolean | { readonly date: string } | null;

/** A row that has at least one filled cell. Empty cells behind the last filled one are left out. */
export interface SheetRow {
  /** The number of the row as the spreadsheet counts it, from 1. */
  readonly row: number;
  readonly cells: readonly SheetCell[];
}

/** Rows of one file, in order. They are parsed on demand, and the event loop gets its turn between two batches. */
export type SheetRows = AsyncIterable<readonly SheetRow[]>;
