import { formatCount, formatMoney } from '../../format.ts';
import { CHARTS } from '../../texts/charts.ts';
import styles from './aging-bars.module.css';
import { ChartFrame } from './chart-frame.tsx';
import { percentTexts } from './shares.ts';

export interface AgingBand {
  readonly label: string;
  readonly debts: number;
  /** In reais. */
  readonly amount: number;
}

/** Sums are made in centavos, so that no fraction of one appears. */
export const openAmount = (bands: readonly AgingBand[]): number =>
  bands.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0) / 100;

const debtCount = (bands: readonly AgingBand[]): number => bands.reduce((sum, { debts }) => sum + debts, 0);

export function agingSentence(bands: readonly AgingBand[]): string {
  const debts = debtCount(bands);
  if (debts === 0) return CHARTS.empty;
  const total = openAmount(bands);
  const sum = `${formatMoney(total)} em cobrança em ${CHARTS.debtCount(debts)}`;
  const most = bands.reduce((a, b) => (b.amount > a.amount ? b : a));
  if (most.debts === debts) return `${sum}, na faixa “${most.label}”.`;
  const percent = percentTexts(bands.map(({ amount }) => amount))[bands.indexOf(most)]!;
  return `${sum}. A faixa com mais valor é “${most.label}”, com ${formatMoney(most.amount)} (${percent}).`;
}

/** The length of each bar in percent of the longest. A band with a little money keeps a visible bar. */
export function barLengths(bands: readonly AgingBand[]): readonly number[] {
  const longest = bands.reduce((most, { amount }) => Math.max(most, amount), 0);
  return bands.map(({ amount }) => (amount <= 0 ? 0 : Math.max(0.5, (amount / longest) * 100)));
}

interface AgingBarsProps {
  readonly bands: readonly AgingBand[];
  readonly method: string;
  readonly sentence?: string;
}

/** The amount in collection by how long the debts are overdue. */
export function AgingBars({ bands, method, sentence }: AgingBarsProps) {
  const says = sentence ?? agingSentence(bands);
  const lengths = barLengths(bands);
  const percents = percentTexts(bands.map(({ amount }) => amount));
  const total = openAmount(bands);
  return (
    <ChartFrame
      sentence={says}
      method={method}
      empty={debtCount(bands) === 0}
      table={{
        name: CHARTS.aging.name,
        columns: [
          { label: CHARTS.aging.band },
          { label: CHARTS.debts, figures: true },
          { label: CHARTS.aging.open, figures: true },
          { label: CHARTS.share, figures: true },
        ],
        rows: bands.map(({ label, debts, amount }, index) => ({
          key: label,
          cells: [label, formatCount(debts), formatMoney(amount), percents[index]!],
        })),
        total: [CHARTS.total, formatCount(debtCount(bands)), formatMoney(total), percentTexts([total])[0]!],
      }}
    >
      <div className={styles['place']} role="img" aria-label={`${CHARTS.aging.name}. ${says}`}>
        <div className={styles['rows']}>
          {bands.map(({ label, debts, amount }, index) => (
            <div key={label} className={styles['row']}>
              <span className={styles['band']}>{label}</span>
              <span className={styles['amount']}>{formatMoney(amount)}</span>
              <span className={styles['debts']}>{CHARTS.debtCount(debts)}</span>
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
