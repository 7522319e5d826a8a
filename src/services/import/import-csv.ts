import { checkDebts } from './check-debts.ts';
import { readCsv } from './csv/read-csv.ts';
import type { ImportDebts, ImportResult, ImportTarget } from './import-debts.ts';

export const importCsv =
  (run: ImportDebts) =>
  ({ bytes, ...target }: ImportTarget & { readonly bytes: Uint8Array }): Promise<ImportResult> =>
    run(target, (now) => checkDebts(readCsv(bytes), now));
