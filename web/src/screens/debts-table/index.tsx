import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { COMMON } from '../../texts/common.ts';
import { DEBTS } from '../../texts/debts.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Empty, Skeleton } from '../../ui/page.tsx';
import { useFilters } from '../../use-filters.ts';
import { useSearchText } from '../../use-search-text.ts';
import { activeFilters } from './active-filters.ts';
import { useColumnChoice } from './column-choice.ts';
import { COLUMNS } from './columns.tsx';
import styles from './debts-table.module.css';
import { Filters } from './filters.tsx';
import { Grid } from './grid.tsx';
import { FILTER_NAMES, isFiltered, type Scope, searchOf } from './search.ts';
import { NONE, type Selection, toggleOne } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useShownSearch } from './use-debt-pages.ts';

const NO_FILTERS = Object.fromEntries(FILTER_NAMES.map((name) => [name, '']));
const TYPING_MS = 300;

/** The value as it was when it had not changed for a while. */
function useSettled(value: string): string {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** The debts of a campaign, or of all, with their filters, marks and actions. */
export function DebtsTable({
  campaignId,
  nothingYet,
}: Scope & {
  /** What stands here when there is no debt at all. */
  readonly nothingYet: ReactNode;
}) {
  const [values, change] = useFilters(FILTER_NAMES);
  const [text, setText] = useSearchText();
  const settledText = useSettled(text);
  const wanted = useMemo(() => searchOf(values, settledText, { campaignId }), [values, settledText, campaignId]);
  const { first, search, total, isWaiting } = useShownSearch(wanted);
  const [columns, setColumns] = useColumnChoice();
  const [selection, select] = useState<Selection>(NONE);
  const clear = (): void => {
    setText('');
    change({ ...NO_FILTERS, ordem: values.ordem });
  };
  // Marks are for what is seen: another search begins without any.
  const [marksOf, setMarksOf] = useState(wanted);
  if (marksOf !== wanted) {
    setMarksOf(wanted);
    select(NONE);
  }
  const scope = { campaignId };
  const shownColumns = COLUMNS.filter(
    ({ key }) => columns.includes(key) && (key !== 'campaign' || campaignId === undefined),
  );
  if (total === 0 && !isFiltered(search, scope) && !isFiltered(wanted, scope) && text === '') return <>{nothingYet}</>;
  return (
    <>
      <Filters
        {...scope}
        values={values}
        text={text}
        search={wanted}
        onChange={change}
        onText={setText}
        onClear={clear}
        columns={columns}
        onColumns={setColumns}
      />
      {first.error !== null && isWaiting && <Failure error={first.error} onRetry={() => void first.refetch()} />}
      {total === undefined ? (
        first.error === null && <Skeleton lines={10} />
      ) : total === 0 ? (
        <Empty
          icon="search"
          title={DEBTS.noneTitle}
          action={
            <Button kind="primary" onClick={clear}>
              {COMMON.clearFilters}
            </Button>
          }
        >
          {DEBTS.noneText(activeFilters(search, scope).join('; '))}
        </Empty>
      ) : (
        <div className={isWaiting && first.error === null ? styles['waiting'] : undefined}>
          <SelectionBar search={search} total={total} selection={selection} onSelect={select} />
          <Grid
            search={search}
            total={total}
            columns={shownColumns}
            selection={selection}
            onToggle={(id) => select(toggleOne(selection, id))}
            onSort={(ordem) => change({ ordem })}
          />
        </div>
      )}
    </>
  );
}
