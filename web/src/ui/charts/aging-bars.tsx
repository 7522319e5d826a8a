import { formatCount, formatMoney } from '../../format.ts';
import { CHARTS } from '../../texts/charts.ts';
import { type AgingBand, type AgingWords, agingSentence, barLengths, debtCount, openAmount } from './aging.ts';
import styles from './aging-bars.module.css';
import { ChartFrame } from './chart-frame.tsx';
import { percentTexts } from './shares.ts';

interface AgingBarsProps {
  readonly bands: readonly AgingBand[];
  readonly method: string;
  readonly words?: AgingWords;
}

/** The amount in collection, or of other debts by their words, by how long the debts are overdue. */
export function AgingBars({ bands, method, words = CHARTS.aging }: AgingBarsProps) {
  const says = agingSentence(bands, words);
  const lengths = barLengths(bands);
  const percents = percentTexts(bands.map(({ amount }) => amount));
  const total = openAmount(bands);
  return (
    <ChartFrame
      sentence={says}
      method={method}
      empty={debtCount(bands) === 0}
      table={{
        name: words.name,
        columns: [
          { label: CHARTS.band },
          { label: CHARTS.debts, figures: true },
          { label: words.open, figures: true },
          { label: CHARTS.share, figures: true },
        ],
        rows: bands.map(({ label, debts, amount }, index) => ({
          key: label,
          cells: [label, formatCount(debts), formatMoney(amount), percents[index]!],
        })),
        total: [CHARTS.total, formatCount(debtCount(bands)), formatMoney(total), percentTexts([total])[0]!],
      }}
    >
      <div className={styles['place']} role="img" aria-label={`${words.name}. ${says}`}>
        <div className={styles['rows']}>
          {bands.map(({ label, debts, amount }, index) => (
            <div key={label} className={styles['row']}>
              <span className={styles['band']}>{label}</span>
              <span className={styles['amount']}>{formatMoney(amount)}</span>
              <span className={styles['debts']}>{`${CHARTS.debtCount(debts)}, ${percents[index]}`}</span>
              <svg className={styles['track']} aria-hidden="true">
                <rect className={styles['bar']} width={`${lengths[index]}%`} height="100%" rx="3" />
              </svg>
            </div>
          ))}
        </div>
      </div>
    </ChartFrame>
  );
}
