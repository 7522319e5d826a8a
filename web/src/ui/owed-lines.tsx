import type { Quote } from '../api/client.ts';
import { formatMoney } from '../format.ts';
import { CHARGES } from '../texts/charges.ts';
import { COMPONENT_NAMES } from '../texts/server-names.ts';
import styles from './owed-lines.module.css';

/** The parts of what is owed with their formulas, and the total. */
export function OwedLines({
  owed: { lines, total, days, countsFrom, missing },
}: {
  readonly owed: Pick<Quote, 'lines' | 'total' | 'days' | 'countsFrom' | 'missing'>;
}) {
  return (
    <>
      <dl className={styles['lines']}>
        {lines.map(({ component, amount, formula }) => (
          <div key={component}>
            <dt>
              {COMPONENT_NAMES[component]}
              <span className={styles['formula']}>{formula}</span>
            </dt>
            <dd>{formatMoney(amount)}</dd>
          </div>
        ))}
        <div className={styles['total']}>
          <dt>{CHARGES.total}</dt>
          <dd>{formatMoney(total)}</dd>
        </div>
      </dl>
      <p className={styles['note']}>{CHARGES.days(days, countsFrom)}</p>
      {missing.length > 0 && <p className={styles['note']}>{CHARGES.missing(missing)}</p>}
    </>
  );
}
