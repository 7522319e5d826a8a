const FIRST_YEAR = 1990;
const LAST_YEAR = 2099;

/**
 * Reads a day as people write it in Brazil: `20/11/2026`, `20.11.2026`, `20112026`. Two figures of a year are taken only
 * where `short` says so, because a year that is being typed begins with them. Null when it is no day, or none that a debt
 * or receipt could have.
 */
export function parseDay(text: string, { short = false }: { readonly short?: boolean } = {}): string | null {
  const written = text.trim();
  const parts = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})$/.exec(written) ?? /^(\d{2})(\d{2})(\d{4})$/.exec(written);
  if (parts === null) return null;
  const [day, month, figures] = [Number(parts[1]), Number(parts[2]), parts[3] ?? ''];
  if (figures.length === 2 && !short) return null;
  const year = figures.length === 2 ? 2000 + Number(figures) : Number(figures);
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return year < FIRST_YEAR || year > LAST_YEAR ? null : date.toISOString().slice(0, 10);
}
