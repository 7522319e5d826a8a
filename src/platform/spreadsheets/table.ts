import type { LocalDate } from '../../kernel/calendar.ts';

/** A date and a time of day without a zone, as a clock on the wall shows them. */
export interface WallTime {
  readonly date: LocalDate;
  /** `14:31:05` */
  readonly time: string;
}

/** A column of a table that staff download. An empty cell is null. */
export type Column<Row> = { readonly header: string /** In characters. */; readonly width: number } & (
  | { readonly kind: 'text'; readonly value: (row: Row) => string | null }
  | { readonly kind: 'money' /** In reais. */; readonly value: (row: Row) => number | null }
  | { readonly kind: 'integer'; readonly value: (row: Row) => number | null }
  | { readonly kind: 'date'; readonly value: (row: Row) => LocalDate | null }
  | { readonly kind: 'moment'; readonly value: (row: Row) => WallTime | null }
);

export interface Table<Row> {
  /** The name of the sheet. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
}

/** The rows in portions, each small enough that the event loop is not blocked while it is written. */
export type Portions<Row> = AsyncIterable<readonly Row[]>;
