import { useState } from 'react';
import { formatCount } from '../../format.ts';
import { IMPORT } from '../../texts/import.ts';
import { problemText } from '../../texts/import-problems.ts';
import { Button } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { Table } from '../../ui/table.tsx';
import styles from './import.module.css';
import { LeaveOut, ProblemCell } from './problem-cell.tsx';
import type { Checked, Group, RowProblem } from './problems.ts';
import type { Import } from './use-import.ts';

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
