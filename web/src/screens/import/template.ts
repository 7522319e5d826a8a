import { IMPORT } from '../../texts/import.ts';

/**
 * An empty spreadsheet with the names of columns that are always recognised. It has no example row, because nobody may
 * be contacted on account of an example that was left in.
 */
export const templateSheet = (): Blob =>
  new Blob([`\uFEFF${IMPORT.templateColumns.join(';')}\r\n`], { type: 'text/csv;charset=utf-8' });
