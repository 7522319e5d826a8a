/**
 * Writes a text of somebody else on one line: a name from an import must not add a header or a paragraph, and WhatsApp
 * refuses a value with a line break, a tab or more than four spaces in a row.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}
