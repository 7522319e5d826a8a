import { checkDebts } from './check-debts.ts';
import { delimiterOf } from './csv/columns.ts';
import { readCsv } from './csv/read-csv.ts';
import type { ImportDebts, ImportResult, ImportTarget } from './import-debts.ts';
import { openCsv, type Spreadsheets } from './open-spreadsheet.ts';

export const importCsv =
  (run: ImportDebts, reader: Spreadsheets) =>
  ({ bytes, ...target }: ImportTarget & { readonly bytes: Uint8Array }): Promise<ImportResult> =>
    run(target, async (now) => {
      const { rows } = await openCsv(reader, { clientId: target.clientId, bytes }, delimiterOf);
      return checkDebts(readCsv(rows), now);
    });
