import { lazy, Suspense, useRef, useState } from 'react';
import { DEBTS } from '../../texts/debts.ts';
import { Button } from '../../ui/button.tsx';
import type { DebtAction } from './action-dialog.tsx';
import styles from './debts-table.module.css';
import type { Outcome } from './outcome.ts';
import type { DebtSearch } from './search.ts';
import { countOf, MAX_BY_HAND, MAX_BY_SEARCH, NONE, type Selection } from './selection.ts';

const ActionDialog = lazy(() => import('./action-dialog.tsx'));

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
  const [asking, ask] = useState<DebtAction | null>(null);
  const count = countOf(selection);
  const finish = (outcome: Outcome): void => {
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
            {(['resume', 'snooze', 'withdraw'] as const).map((action) => (
              <Button
                key={action}
                small
                {...(action === 'withdraw' && { kind: 'danger' as const })}
                onClick={() => ask(action)}
              >
                {DEBTS.actions[action].name}
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
        {asking !== null && (
          <ActionDialog
            action={asking}
            search={search}
            selection={selection}
            onDone={finish}
            onClose={() => ask(null)}
          />
        )}
      </Suspense>
    </>
  );
}
