import { quita } from '../../api/quita.ts';
import { DEBTS } from '../../texts/debts.ts';
import { announce } from '../../ui/announce.tsx';
import { saveFile } from '../../ui/download.ts';
import { FailedNote } from '../../ui/failure.tsx';
import { useSubmit } from '../../ui/form.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { DebtSearch } from './search.ts';

const TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
type Format = keyof typeof TYPES;

/** Saves what the filters show, all pages of it. */
export function ExportMenu({ search }: { readonly search: DebtSearch }) {
  const save = async (format: Format): Promise<void> => {
    announce(DEBTS.exporting);
    const file = await quita.exportDebts(
      { body: search },
      { headers: { Accept: TYPES[format] }, timeout: 0, parseAs: 'blob' },
    );
    // Days are those of the company, whatever the clock of this machine says.
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(new Date());
    saveFile(file as Blob, `dividas-${today}.${format}`);
    announce(DEBTS.exported);
  };
  const csv = useSubmit(() => save('csv'));
  const xlsx = useSubmit(() => save('xlsx'));
  const failed = csv.failed ?? xlsx.failed;
  return (
    <>
      <Menu
        label={csv.busy || xlsx.busy ? DEBTS.exporting : DEBTS.exportName}
        items={[
          { label: DEBTS.exports.csv, onSelect: () => void csv.run() },
          { label: DEBTS.exports.xlsx, onSelect: () => void xlsx.run() },
        ]}
      />
      {failed !== null && <FailedNote failed={failed} />}
    </>
  );
}
