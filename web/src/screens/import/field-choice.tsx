import { IMPORT } from '../../texts/import.ts';
import { IMPORT_FIELD } from '../../texts/import-problems.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, type Field, GROUPS, holderOf, isField, looksLike, type Mapping } from './fields.ts';
import styles from './import.module.css';
import type { Import } from './use-import.ts';

const NONE = '';
const idOf = (header: string): string => `column-${encodeURIComponent(header)}`;

/** What a column is taken for. The sign of what is needed stands at its group, where one field of several may do. */
export function FieldChoice({
  column,
  mapping,
  onChoose,
}: {
  readonly column: Column;
  readonly mapping: Mapping;
  readonly onChoose: Import['chooseField'];
}) {
  const { header } = column;
  const labelOf = (field: Field): string => {
    const holder = holderOf(mapping, field);
    if (holder !== undefined && holder !== header) return IMPORT.heldBy(IMPORT_FIELD[field], holder);
    return column.looksLike === field ? IMPORT.looksLike(IMPORT_FIELD[field]) : IMPORT_FIELD[field];
  };
  return (
    <select
      id={idOf(header)}
      className={styles['select']}
      aria-label={IMPORT.fieldOf(header)}
      value={mapping.get(header) ?? NONE}
      onChange={({ target: { value } }) => onChoose(header, isField(value) ? value : null)}
    >
      <option value={NONE}>{IMPORT.leaveOut}</option>
      {GROUPS.map(([key, fields]) => (
        <optgroup key={key} label={IMPORT.groups[key]}>
          {fields.map((field) => (
            <option key={field} value={field}>
              {labelOf(field)}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

/** The columns whose values look like a field that is needed and that no column holds. */
export function LikelyColumns({
  field,
  columns,
  mapping,
  onChoose,
}: {
  readonly field: Field;
  readonly columns: readonly Column[];
  readonly mapping: Mapping;
  readonly onChoose: Import['chooseField'];
}) {
  const likely = columns.filter((column) => (mapping.get(column.header) ?? null) === null && looksLike(column, field));
  if (likely.length === 0) return IMPORT.lackingHint;
  return (
    <div className={styles['actions']}>
      {likely.map(({ header, looksLike: own }) => (
        <Button
          key={header}
          small
          onClick={() => {
            onChoose(header, own);
            // This line ends with the choice, so the focus goes to the choice of the column.
            requestAnimationFrame(() => document.getElementById(idOf(header))?.focus());
          }}
        >
          {IMPORT.takeColumn(header)}
        </Button>
      ))}
    </div>
  );
}
