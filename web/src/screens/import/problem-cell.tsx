import { COMMON } from '../../texts/common.ts';
import { IMPORT } from '../../texts/import.ts';
import { classNames } from '../../ui/class-names.ts';
import { isFull, MAX_CELL_LENGTH, MAX_SHOWN_LENGTH } from './edits.ts';
import styles from './import.module.css';
import type { RowProblem } from './problems.ts';
import type { Import } from './use-import.ts';

/** The cell of a problem, which can be corrected here when it is shown as a whole. */
export function ProblemCell({ problem, state }: { readonly problem: RowProblem; readonly state: Import }) {
  const { row, header, value, field } = problem;
  const { edits } = state;
  if (header === null || (value?.length ?? 0) >= MAX_SHOWN_LENGTH) {
    return value ?? (field === null ? COMMON.none : IMPORT.emptyValue);
  }
  const edited = edits.cells.get(row)?.get(header);
  const isOut = edits.leftOut.has(row);
  return (
    <input
      className={classNames(styles['cell'], edited !== undefined && styles['edited'])}
      aria-label={IMPORT.cellOf(row, header)}
      value={edited ?? value ?? ''}
      placeholder={IMPORT.emptyValue}
      maxLength={MAX_CELL_LENGTH}
      autoComplete="off"
      spellCheck={false}
      disabled={isOut}
      readOnly={!edits.cells.has(row) && isFull(edits)}
      onChange={({ target }) => state.editCell({ row, header, value }, target.value)}
      onKeyDown={({ key }) => {
        if (key === 'Enter' && state.isStale && state.work === null) state.check({ again: true });
      }}
    />
  );
}

/** Leaves the whole row out. A row that is known already does not come in anyway. */
export function LeaveOut({ problem, state }: { readonly problem: RowProblem; readonly state: Import }) {
  const { row, code } = problem;
  if (code === 'duplicate') return COMMON.none;
  const isOut = state.edits.leftOut.has(row);
  return (
    <input
      type="checkbox"
      className={styles['box']}
      aria-label={IMPORT.leaveOutRowOf(row)}
      checked={isOut}
      disabled={!isOut && !state.edits.cells.has(row) && isFull(state.edits)}
      onChange={({ target }) => state.leaveOut(row, target.checked)}
    />
  );
}
