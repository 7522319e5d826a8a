import { useState } from 'react';
import { formatCount } from '../../format.ts';
import { COMMON } from '../../texts/common.ts';
import { IMPORT } from '../../texts/import.ts';
import { problemText } from '../../texts/import-problems.ts';
import { Button } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Table } from '../../ui/table.tsx';
import { isFull, MAX_CELL_LENGTH, MAX_SHOWN_LENGTH } from './edits.ts';
import styles from './import.module.css';
import type { Checked, Group, RowProblem } from './problems.ts';
import type { Import } from './use-import.ts';

/** The cell of a problem, which can be corrected here when it is shown as a whole. */
function ProblemCell({ problem, state }: { readonly problem: RowProblem; readonly state: Import }) {
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
function LeaveOut({ problem, state }: { readonly problem: RowProblem; readonly state: Import }) {
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

/** A page of problems: with 50,000 wrong rows the screen stays as light as with ten. */
const PAGE_ROWS = 25;

type Key = Group['key'] | 'all' | 'warned';

const labelOf = ({ key, column }: Group): string => {
  if (key === 'known') return IMPORT.known;
  return key === 'row' ? IMPORT.wholeRow : column;
};

export function ProblemList({
  checked,
  warnings,
  state,
}: {
  readonly checked: Checked;
  readonly warnings: readonly RowProblem[];
  readonly state: Import;
}) {
  const { groups, all } = checked;
  const [chosen, setChosen] = useState<Key>(all.length > 0 ? 'all' : warnings.length > 0 ? 'warned' : 'known');
  const [page, setPage] = useState(0);
  const ofGroup = groups.find(({ key }) => key === chosen)?.problems ?? all;
  const problems = chosen === 'all' ? all : chosen === 'warned' ? warnings : ofGroup;
  const from = page * PAGE_ROWS;
  const shown = problems.slice(from, from + PAGE_ROWS);
  const isFirst = page === 0;
  const isLast = from + PAGE_ROWS >= problems.length;
  return (
    <>
      <Chips<Key>
        label={IMPORT.filter}
        chosen={chosen}
        onChoose={(key) => {
          setChosen(key);
          setPage(0);
        }}
        options={[
          ...(all.length > 0 ? [{ key: 'all' as const, label: IMPORT.all, count: all.length }] : []),
          ...(warnings.length > 0 ? [{ key: 'warned' as const, label: IMPORT.warned, count: warnings.length }] : []),
          ...groups.map((group) => ({ key: group.key, label: labelOf(group), count: group.problems.length })),
        ]}
      />
      <div className={styles['problems']}>
        <Table<RowProblem>
          caption={IMPORT.problemsCaption}
          rows={shown}
          rowKey={({ key }) => key}
          columns={[
            { key: 'row', label: IMPORT.row, cell: ({ row }) => formatCount(row) },
            {
              key: 'column',
              label: IMPORT.column,
              cell: ({ column }) => <span className={styles['columnName']}>{column || IMPORT.wholeRow}</span>,
            },
            {
              key: 'value',
              label: IMPORT.value,
              cell: (problem) => <ProblemCell problem={problem} state={state} />,
            },
            {
              key: 'problem',
              label: IMPORT.problem,
              cell: ({ field, code, ...shown }) => problemText(field, code, shown),
            },
            {
              key: 'out',
              label: IMPORT.leaveOutRow,
              cell: (problem) => <LeaveOut problem={problem} state={state} />,
            },
          ]}
        />
      </div>
      {problems.length > PAGE_ROWS && (
        <nav className={styles['pages']} aria-label={IMPORT.problemsCaption}>
          <Button
            small
            icon="left"
            disabledBecause={isFirst ? IMPORT.firstPage : undefined}
            onClick={() => setPage(page - 1)}
          >
            {IMPORT.pageBefore}
          </Button>
          <span role="status">
            {IMPORT.page(from + 1, Math.min(from + PAGE_ROWS, problems.length), problems.length)}
          </span>
          <Button
            small
            icon="right"
            disabledBecause={isLast ? IMPORT.lastPage : undefined}
            onClick={() => setPage(page + 1)}
          >
            {IMPORT.pageNext}
          </Button>
        </nav>
      )}
    </>
  );
}
