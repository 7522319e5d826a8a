import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useId, useRef, useState } from 'react';
import type { FoundDebt } from '../../api/client.ts';
import { may } from '../../session/may.ts';
import { DEBTS } from '../../texts/debts.ts';
import { classNames } from '../../ui/class-names.ts';
import { Failure } from '../../ui/failure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TestBadge } from '../../ui/status.tsx';
import type { DebtColumn } from './columns.tsx';
import styles from './debts-table.module.css';
import { type DebtSearch, type DebtSort, directionOf, pressedSort, sortKeyOf } from './search.ts';
import { isMarked, type Selection } from './selection.ts';
import { type Shown, useDebtPages } from './use-debt-pages.ts';
import { useNarrow } from './use-narrow.ts';

const OVERSCAN = 8;
/** Browsers lay out elements up to about 17 million pixels high. */
const MAX_PIXELS = 16_000_000;

/** More columns than these do not fit beside the navigation; the table is then scrolled sideways. */
const WIDE = 6;

const ROW_REM = 3;
const CARD_LINE_REM = 1.75;
const CARD_REM = 4;

const remPixels = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

interface GridProps {
  readonly search: DebtSearch;
  readonly total: number;
  readonly columns: readonly DebtColumn[];
  readonly selection: Selection;
  readonly onToggle: (id: string) => void;
  readonly onSort: (sort: DebtSort) => void;
  /** Whether tests stand beside real debts. */
  readonly mixed: boolean;
}

/**
 * The table of a search. Only the rows around the visible ones exist; two empty rows take the place of all others, so
 * that it stays a real table in a real scroller.
 */
export function Grid({ search, total, columns, selection, onToggle, onSort, mixed }: GridProps) {
  const scroller = useRef<HTMLElement>(null);
  const id = useId();
  const narrow = useNarrow();
  const [rem] = useState(remPixels);
  const rowPixels = Math.round(rem * (narrow ? CARD_REM + CARD_LINE_REM * (columns.length - 1) : ROW_REM));
  const count = Math.min(total, Math.floor(MAX_PIXELS / rowPixels));
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPixels,
    overscan: narrow ? 3 : OVERSCAN,
    initialRect: { width: 0, height: 600 },
    useFlushSync: false,
  });
  const rows = virtualizer.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? -1;
  const shown: Shown = { first, last };
  const { rowAt, failure, retry } = useDebtPages(search, total, shown);
  useScrollToTop(scroller, search);
  useKeptFocus(scroller);
  // biome-ignore lint/correctness/useExhaustiveDependencies: All rows have another height when this changes.
  useEffect(() => virtualizer.measure(), [rowPixels]);
  const above = rows[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (rows.at(-1)?.end ?? 0);
  const visible = virtualizer.range;
  return (
    <>
      <p className={styles['position']}>
        {DEBTS.shown((visible?.startIndex ?? 0) + 1, (visible?.endIndex ?? 0) + 1, total)}
        {count < total && ` ${DEBTS.tooLong(count)}`}
      </p>
      {failure !== null && <Failure error={failure} onRetry={retry} />}
      <section
        ref={scroller}
        className={styles['scroller']}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls has to be reachable by the keyboard.
        tabIndex={0}
        aria-labelledby={id}
      >
        <table
          className={classNames(styles['table'], columns.length > WIDE && styles['manyColumns'])}
          aria-rowcount={total + 1}
        >
          <caption id={id} className="visually-hidden">
            {DEBTS.caption}
          </caption>
          <Head columns={columns} sort={search.sort} {...(!narrow && { onSort })} />
          <tbody>
            <Filler pixels={above} columns={columns.length} />
            {rows.map(({ index, size }) => {
              const debt = rowAt(index);
              return (
                <Row
                  key={index}
                  index={index}
                  pixels={size}
                  debt={debt}
                  columns={columns}
                  marked={debt !== null && isMarked(selection, debt.id)}
                  fixed={selection.kind === 'all'}
                  onToggle={onToggle}
                  mixed={mixed}
                />
              );
            })}
            <Filler pixels={below} columns={columns.length} />
          </tbody>
        </table>
      </section>
    </>
  );
}

function useScrollToTop(scroller: React.RefObject<HTMLElement | null>, search: DebtSearch): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: Another search begins at its first row.
  useEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  }, [search]);
}

/** A row that leaves the table while it has the focus gives it to the scroller, and not to the page. */
function useKeptFocus(scroller: React.RefObject<HTMLElement | null>): void {
  const inside = useRef(false);
  useEffect(() => {
    const follow = ({ target }: FocusEvent): void => {
      inside.current = scroller.current?.contains(target as Node) === true;
    };
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, [scroller]);
  useEffect(() => {
    if (inside.current && document.activeElement === document.body) scroller.current?.focus({ preventScroll: true });
  });
}

function Head({
  columns,
  sort,
  onSort,
}: {
  readonly columns: readonly DebtColumn[];
  readonly sort: DebtSort;
  /** Absent on a narrow screen, where the head is not seen. */
  readonly onSort?: (sort: DebtSort) => void;
}) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" className={styles['markColumn']}>
          {may('work') && <span className="visually-hidden">{DEBTS.mark}</span>}
        </th>
        {columns.map(({ key, sort: by, numeric }) => {
          const isSorted = by === sortKeyOf(sort);
          return (
            <th
              key={key}
              scope="col"
              className={classNames(styles[key], numeric && styles['numeric'])}
              aria-sort={isSorted ? directionOf(sort) : undefined}
            >
              {by === undefined || onSort === undefined ? (
                DEBTS.column[key]
              ) : (
                <button type="button" className={styles['sort']} onClick={() => onSort(pressedSort(by, sort))}>
                  {DEBTS.column[key]}
                  {isSorted && (
                    <span className={directionOf(sort) === 'ascending' ? styles['upwards'] : undefined}>
                      <Icon name="down" size={16} />
                    </span>
                  )}
                </button>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

const Filler = ({ pixels, columns }: { readonly pixels: number; readonly columns: number }) =>
  pixels > 0 && (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: Nothing in it takes the focus; it only has a height.
    <tr aria-hidden="true" className={styles['filler']}>
      <td colSpan={columns + 1} style={{ blockSize: pixels }} />
    </tr>
  );

interface RowProps extends Pick<GridProps, 'columns' | 'onToggle' | 'mixed'> {
  readonly marked: boolean;
  /** Whether the mark is part of all, and cannot be taken away alone. */
  readonly fixed: boolean;
  readonly index: number;
  readonly pixels: number;
  /** Null while it is being loaded. */
  readonly debt: FoundDebt | null;
}

/** Only rows whose debt or mark has changed are drawn again while the table is scrolled. */
const Row = memo(function Row({ index, pixels, debt, columns, marked, fixed, onToggle, mixed }: RowProps) {
  const place = { 'aria-rowindex': index + 2, style: { blockSize: pixels } } as const;
  if (debt === null) {
    return (
      <tr {...place} className={styles['row']}>
        <td colSpan={columns.length + 1}>
          <span className={styles['pending']} />
          <span className="visually-hidden">{DEBTS.loadingRow}</span>
        </td>
      </tr>
    );
  }
  return (
    <tr {...place} className={classNames(styles['row'], marked && styles['marked'])}>
      <td className={styles['markColumn']}>
        {may('work') && (
          <label className={styles['mark']}>
            <input
              type="checkbox"
              checked={marked}
              aria-disabled={fixed || undefined}
              onChange={() => onToggle(debt.id)}
            />
            <span className="visually-hidden">{DEBTS.markOne(debt.debtorName)}</span>
          </label>
        )}
      </td>
      {columns.map(({ key, cell, numeric }) => (
        <td
          key={key}
          data-label={DEBTS.column[key]}
          className={classNames(styles[key], numeric && styles['numeric']) || undefined}
        >
          <span className={styles['value']}>
            {key === 'name' && mixed && debt.sandbox && <TestBadge />}
            {cell(debt)}
          </span>
        </td>
      ))}
    </tr>
  );
});
