import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { SearchDebtsResult } from '../../api/client.ts';
import { showsDebts } from '../../live/stale.ts';
import { may } from '../../session/may.ts';
import { useSandboxOnly } from '../../shell/use-dashboard.ts';
import { BULK } from '../../texts/bulk.ts';
import { COMMON } from '../../texts/common.ts';
import { DEBTS } from '../../texts/debts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Empty, Note, Skeleton } from '../../ui/page.tsx';
import { useFilters } from '../../use-filters.ts';
import { useSearchText } from '../../use-search-text.ts';
import { useSettled } from '../../use-settled.ts';
import { BULK_ACTIONS, type BulkAction, type Chosen, type KnownDebt } from '../bulk/chosen.ts';
import type { Outcome } from '../bulk/outcome.ts';
import { OutcomeReport } from '../bulk/outcome-report.tsx';
import { activeFilters } from './active-filters.ts';
import { useColumnChoice } from './column-choice.ts';
import { COLUMNS } from './columns.tsx';
import styles from './debts-table.module.css';
import { Filters } from './filters.tsx';
import { Grid } from './grid.tsx';
import { type DebtSearch, FILTER_NAMES, filterOf, isFiltered, type Scope, searchOf } from './search.ts';
import { countOf, MAX_BY_HAND, MAX_BY_SEARCH, NONE, type Selection, toggleOne } from './selection.ts';
import { useShownSearch } from './use-debt-pages.ts';

const BulkDialog = lazy(() => import('../bulk/bulk-dialog.tsx'));

/** The debts of the pages that were shown, by their ids. */
function knownDebts(queries: QueryClient): ReadonlyMap<string, KnownDebt> {
  const known = new Map<string, KnownDebt>();
  for (const [, page] of queries.getQueriesData<SearchDebtsResult>({ queryKey: ['debts', 'page'] })) {
    for (const { id, debtorName, status, holdReason } of page?.items ?? []) {
      const reason = status === 'DISPUTED' ? 'disputed' : holdReason;
      known.set(id, { debtorName, status, reasons: reason === null ? [] : [reason] });
    }
  }
  return known;
}

/** What is marked, and what can be done with it. */
function SelectionBar({
  search,
  total,
  selection,
  onSelect,
  onOutcome,
}: {
  readonly search: DebtSearch;
  readonly total: number;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  /** Takes what an action has done; null when the person goes on to mark other debts. */
  readonly onOutcome: (outcome: Outcome | null) => void;
}) {
  const queries = useQueryClient();
  const [asked, ask] = useState<{ action: BulkAction; chosen: Chosen } | null>(null);
  const count = countOf(selection);
  const start = (action: BulkAction): void => {
    const known = knownDebts(queries);
    const chosen =
      selection.kind === 'all'
        ? { ...selection, search: filterOf(search), known }
        : { kind: selection.kind, ids: [...selection.ids], known };
    ask({ action, chosen });
  };
  const finish = (outcome: Outcome): void => {
    announce(outcome.text);
    void queries.invalidateQueries({ predicate: showsDebts });
    onOutcome(outcome);
    ask(null);
    onSelect(NONE);
  };
  const bar = useRef<HTMLFieldSetElement>(null);
  /** The pressed button goes away, so the focus moves to what holds the others. */
  const choose = (next: Selection): void => {
    onSelect(next);
    onOutcome(null);
    bar.current?.focus();
  };
  return (
    <>
      <fieldset ref={bar} className={styles['bar']} tabIndex={-1}>
        <legend className="visually-hidden">{DEBTS.selection}</legend>
        {count > 0 && (
          <>
            <span className={styles['count']}>
              {selection.kind === 'all' ? DEBTS.markedAll(count) : DEBTS.marked(count)}
            </span>
            {BULK_ACTIONS.map((action) => (
              <Button
                key={action}
                small
                {...(action === 'withdraw' && { kind: 'danger' as const })}
                onClick={() => start(action)}
              >
                {BULK.actions[action].name}
              </Button>
            ))}
            <Button small kind="quiet" onClick={() => choose(NONE)}>
              {DEBTS.unmark}
            </Button>
          </>
        )}
        {selection.kind === 'some' && (
          <Button
            small
            kind="quiet"
            disabledBecause={total > MAX_BY_SEARCH ? DEBTS.tooManyBySearch(MAX_BY_SEARCH) : undefined}
            onClick={() => choose({ kind: 'all', count: total })}
          >
            {DEBTS.markAll(total)}
          </Button>
        )}
        {selection.kind === 'some' && count >= MAX_BY_HAND && <span>{DEBTS.tooManyByHand(MAX_BY_HAND)}</span>}
      </fieldset>
      <Suspense fallback={null}>
        {asked !== null && <BulkDialog {...asked} onDone={finish} onClose={() => ask(null)} />}
      </Suspense>
    </>
  );
}

/**
 * What an action on marked debts has done. It takes the focus, because the pressed button is gone. It stands outside the
 * list, because the action may have left the filter without any debt.
 */
function ActionReport({ outcome }: { readonly outcome: Outcome }) {
  const report = useRef<HTMLDivElement>(null);
  // The closing dialog gives the focus back first, so the report takes it after each new outcome.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new outcome is what the focus follows.
  useEffect(() => report.current?.focus(), [outcome]);
  return (
    <div ref={report} tabIndex={-1}>
      <Note tone={outcome.tone}>
        <OutcomeReport outcome={outcome} />
      </Note>
    </div>
  );
}

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
          {may('work') && (
            <SelectionBar
              search={search}
              total={total}
              selection={selection}
              onSelect={select}
              onOutcome={setOutcome}
            />
          )}
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
