import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSandboxOnly } from '../../shell/use-dashboard.ts';
import { COMMON } from '../../texts/common.ts';
import { DEBTS } from '../../texts/debts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Empty, Skeleton } from '../../ui/page.tsx';
import { useFilters } from '../../use-filters.ts';
import { useSearchText } from '../../use-search-text.ts';
import { useSettled } from '../../use-settled.ts';
import type { Outcome } from '../bulk/outcome.ts';
import { ActionReport } from './action-report.tsx';
import { activeFilters } from './active-filters.ts';
import { useColumnChoice } from './column-choice.ts';
import { COLUMNS } from './columns.tsx';
import styles from './debts-table.module.css';
import { Filters } from './filters.tsx';
import { Grid } from './grid.tsx';
import { type DebtSearch, FILTER_NAMES, isFiltered, type Scope, searchOf } from './search.ts';
import { NONE, type Selection, toggleOne } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useShownSearch } from './use-debt-pages.ts';

const NO_FILTERS = Object.fromEntries(FILTER_NAMES.map((name) => [name, '']));

/** Says how many debts a changed search has found. */
function useAnnouncedTotal(total: number | undefined, search: DebtSearch): void {
  const said = useRef(search);
  useEffect(() => {
    if (total === undefined || said.current === search) return;
    said.current = search;
    announce(DEBTS.found(total), 'read');
  }, [total, search]);
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
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const sandboxOnly = useSandboxOnly();
  const filters = useRef<HTMLDivElement>(null);
  const clear = (): void => {
    setText('');
    change({ ...NO_FILTERS, ordem: values.ordem });
    // The pressed button goes away with the filters.
    filters.current?.querySelector('input')?.focus();
  };
  useAnnouncedTotal(isWaiting ? undefined : total, wanted);
  // Marks and the report of an action are for what is seen: another search begins without any.
  const [marksOf, setMarksOf] = useState(wanted);
  if (marksOf !== wanted) {
    setMarksOf(wanted);
    select(NONE);
    setOutcome(null);
  }
  const scope = { campaignId };
  const shownColumns = useMemo(
    () => COLUMNS.filter(({ key }) => columns.includes(key) && (key !== 'campaign' || campaignId === undefined)),
    [columns, campaignId],
  );
  const toggle = useCallback((id: string) => select((marked) => toggleOne(marked, id)), []);
  if (total === 0 && !isFiltered(search, scope) && !isFiltered(wanted, scope) && text === '') return <>{nothingYet}</>;
  return (
    <>
      <div ref={filters}>
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
      </div>
      {outcome !== null && <ActionReport outcome={outcome} />}
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
          <SelectionBar search={search} total={total} selection={selection} onSelect={select} onOutcome={setOutcome} />
          <Grid
            search={search}
            total={total}
            columns={shownColumns}
            selection={selection}
            onToggle={toggle}
            onSort={(ordem) => change({ ordem })}
            mixed={campaignId === undefined && sandboxOnly === false}
          />
        </div>
      )}
    </>
  );
}
