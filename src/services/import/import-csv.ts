import { checkDebts } from './check-debts.ts';
import { readCsv } from './csv/read-csv.ts';
import type { ImportDebts, ImportResult, ImportTarget } from './import-debts.ts';

export const importCsv =
  (run: ImportDebts) =>
  async ({ bytes, ...target }: ImportTarget & { readonly bytes: Uint8Array }): Promise<ImportResult> => {
    const { elements, rows } = await readCsv(bytes);
    return run(target, () => checkDebts(elements, rows));
  };
