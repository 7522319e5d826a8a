/** Ranges of days past due, ends included. The last one has no end. */
export const AGING_RANGES = [
  { fromDays: 0, toDays: 30 },
  { fromDays: 31, toDays: 60 },
  { fromDays: 61, toDays: 90 },
  { fromDays: 91, toDays: 365 },
  { fromDays: 366, toDays: null },
] as const;

export type AgingRange = (typeof AGING_RANGES)[number];

/** Returns the range of a debt; null while it is not due. */
export const agingRange = (daysPastDue: number): AgingRange | null =>
  AGING_RANGES.find(({ fromDays, toDays }) => daysPastDue >= fromDays && (toDays === null || daysPastDue <= toDays)) ??
  null;
