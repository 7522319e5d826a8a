/**
 * Writes array literals for PostgreSQL. The driver can write them too, but it examines each value several times, which
 * takes a large part of the time of an import.
 */
export const plainArray = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;

const quoted = (text: string): string => `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;

export const textArray = (values: readonly (string | null)[]): string =>
  `{${values.map((value) => (value === null ? 'NULL' : quoted(value))).join(',')}}`;
