import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import type { SearchDebtsResult } from '../../api/client.ts';
import { showsDebts } from '../../live/stale.ts';
import { BULK } from '../../texts/bulk.ts';
import { DEBTS } from '../../texts/debts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { BULK_ACTIONS, type BulkAction, type Chosen, type KnownDebt } from '../bulk/chosen.ts';
import type { Outcome } from '../bulk/outcome.ts';
import styles from './debts-table.module.css';
import { type DebtSearch, filterOf } from './search.ts';
import { countOf, MAX_BY_HAND, MAX_BY_SEARCH, NONE, type Selection } from './selection.ts';

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
export function SelectionBar({
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
