const DAY_MS = 86_400_000;
/** More days than a drawing can show; a wrong date must not make thousands of empty ones. */
const MAX_DAYS = 400;

/** The given dates in order and, where they lie close enough together, the days between them. */
export function daysOf(dates: readonly string[]): readonly string[] {
  const given = [...new Set(dates)].sort();
  const first = Date.parse(`${given[0]}T00:00:00Z`);
  const length = Math.round((Date.parse(`${given.at(-1)}T00:00:00Z`) - first) / DAY_MS) + 1;
  if (!(length <= MAX_DAYS)) return given;
  return Array.from({ length }, (_, day) => new Date(first + day * DAY_MS).toISOString().slice(0, 10));
}

/** Noon in Greenwich is the same day everywhere in Brazil. */
export const noonOf = (date: string): string => `${date}T12:00:00Z`;
/** `23/11`. */
export const shortDate = (date: string): string => `${date.slice(8, 10)}/${date.slice(5, 7)}`;
