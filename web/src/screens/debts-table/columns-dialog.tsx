import { COMMON } from '../../texts/common.ts';
import { DEBTS } from '../../texts/debts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckboxField } from '../../ui/field.tsx';
import { COLUMN_KEYS, type ColumnKey } from './column-choice.ts';

export default function ColumnsDialog({
  chosen,
  hidden,
  onChoose,
  onClose,
}: {
  readonly chosen: readonly ColumnKey[];
  /** Columns that this screen has no use for. */
  readonly hidden: readonly ColumnKey[];
  readonly onChoose: (next: readonly ColumnKey[]) => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={DEBTS.columns} onClose={onClose}>
      <p>{DEBTS.columnsText}</p>
      {COLUMN_KEYS.filter((key) => key !== 'name' && !hidden.includes(key)).map((key) => (
        <CheckboxField
          key={key}
          label={DEBTS.column[key]}
          checked={chosen.includes(key)}
          onChange={({ target }) =>
            onChoose(target.checked ? [...chosen, key] : chosen.filter((column) => column !== key))
          }
        />
      ))}
      <Button kind="primary" onClick={onClose}>
        {COMMON.close}
      </Button>
    </Dialog>
  );
}
