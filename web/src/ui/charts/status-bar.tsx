import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { formatCount } from '../../format.ts';
import { CHARTS } from '../../texts/charts.ts';
import { classNames } from '../class-names.ts';
import { ChartFrame } from './chart-frame.tsx';
import { percentTexts } from './shares.ts';
import { lighterParts, type StatusPart, statusSentence } from './status.ts';
import styles from './status-bar.module.css';

interface StatusBarProps {
  readonly parts: readonly StatusPart[];
  readonly method: string;
  readonly sentence?: string;
  readonly selected?: string | undefined;
  /** Called with null when the selected part is pressed again. */
  readonly onSelect?: (key: string | null) => void;
  /** Where a part leads, when it leads to another screen. */
  readonly href?: (key: string) => string;
}

const fill = ({ tone }: StatusPart, lighter = false) => [styles[tone], lighter && styles['lighter']];

/** One bar of all debts by situation. Each part filters: in the bar for the pointer, in the list for everybody. */
export function StatusBar({ parts, method, sentence, selected, onSelect, href }: StatusBarProps) {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const percents = percentTexts(parts.map(({ count }) => count));
  const lighter = lighterParts(parts);
  const filter = { selected, onSelect, href };
  return (
    <ChartFrame
      sentence={sentence ?? statusSentence(parts)}
      method={method}
      empty={total === 0}
      table={{
        name: CHARTS.status.name,
        columns: [
          { label: CHARTS.status.status },
          { label: CHARTS.debts, figures: true },
          { label: CHARTS.share, figures: true },
        ],
        rows: parts.map(({ key, label, count }, index) => ({
          key,
          cells: [label, formatCount(count), percents[index]!],
        })),
        total: [CHARTS.total, formatCount(total), percentTexts([total])[0]!],
      }}
    >
      <div className={styles['drawing']}>
        {/* The list beneath holds the same parts with their words, so the bar adds nothing for screen readers. */}
        <div className={styles['bar']} aria-hidden="true">
          {parts.map(
            (part, index) =>
              part.count > 0 && (
                <div
                  key={part.key}
                  className={styles['segment']}
                  data-selected={part.key === selected || undefined}
                  style={{ flexGrow: part.count / total }}
                >
                  <Part
                    {...filter}
                    part={part}
                    className={classNames(styles['fill'], ...fill(part, lighter[index]))}
                    hidden
                  >
                    <span className={styles['inside']}>{formatCount(part.count)}</span>
                  </Part>
                </div>
              ),
          )}
        </div>
        <ul className={styles['list']}>
          {parts.map((part, index) => (
            <li key={part.key}>
              <Part {...filter} part={part} className={styles['entry']}>
                <span className={classNames(styles['mark'], ...fill(part, lighter[index]))} aria-hidden="true" />
                <span className={styles['word']}>{part.label}</span>
                <span className="visually-hidden">{': '}</span>
                <span className={styles['count']}>{formatCount(part.count)}</span>
                <span className="visually-hidden">{` ${CHARTS.debtWord(part.count)}, `}</span>
                <span className={styles['percent']}>{percents[index]}</span>
              </Part>
            </li>
          ))}
        </ul>
      </div>
    </ChartFrame>
  );
}

interface PartProps extends Pick<StatusBarProps, 'selected' | 'onSelect' | 'href'> {
  readonly part: StatusPart;
  readonly className: string | undefined;
  /** Outside the order of the Tab key. */
  readonly hidden?: boolean;
  readonly children: ReactNode;
}

function Part({ part: { key }, selected, onSelect, href, className, hidden, children }: PartProps) {
  const tabIndex = hidden ? -1 : undefined;
  const chosen = key === selected;
  if (href !== undefined) {
    return (
      <Link to={href(key)} className={className} tabIndex={tabIndex} aria-current={chosen ? 'true' : undefined}>
        {children}
      </Link>
    );
  }
  if (onSelect === undefined) return <span className={className}>{children}</span>;
  return (
    <button
      type="button"
      className={className}
      tabIndex={tabIndex}
      aria-pressed={chosen}
      onClick={() => onSelect(chosen ? null : key)}
    >
      {children}
    </button>
  );
}
