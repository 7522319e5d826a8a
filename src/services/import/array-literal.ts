/**
 * Arrays as the text PostgreSQL reads them from. The driver writes them too, but looks at each value several times:
 * over the columns of an import that is a good part of its whole time.
 */
export const plainArray = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;

const quoted = (text: string): string => `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;

export const textArray = (values: readonly (string | null)[]): string =>
  `{${values.map((value) => (value === null ? 'NULL' : quoted(value))).join(',')}}`;
