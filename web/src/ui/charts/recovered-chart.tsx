import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { formatMoney, formatPlainDate } from '../../format.ts';
import { CHARTS } from '../../texts/charts.ts';
import { ChartFrame } from './chart-frame.tsx';
import {
  type CumulatedDay,
  cumulate,
  DATES_AT,
  drawRecovered,
  HEIGHT,
  PANEL_TITLES,
  type RecoveredDay,
  recoveredSentence,
} from './recovered.ts';
import styles from './recovered-chart.module.css';

/** The width of an element in pixels, measured before it is painted; 0 before that. */
function useWidth<E extends Element>(): readonly [RefObject<E | null>, number] {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = (): void => setWidth(Math.floor(element.getBoundingClientRect().width));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

interface RecoveredChartProps {
  readonly days: readonly RecoveredDay[];
  readonly method: string;
  readonly sentence?: string;
}

/** Money recovered a day as bars, and the sum so far as a line. */
export function RecoveredChart({ days, method, sentence }: RecoveredChartProps) {
  const cumulated = useMemo(() => cumulate(days), [days]);
  const says = sentence ?? recoveredSentence(cumulated);
  return (
    <ChartFrame
      sentence={says}
      method={method}
      empty={cumulated.length === 0}
      table={{
        name: CHARTS.recovered.name,
        columns: [
          { label: CHARTS.recovered.day },
          { label: CHARTS.recovered.recovered, figures: true },
          { label: CHARTS.recovered.total, figures: true },
        ],
        rows: cumulated.map(({ date, recovered, total }) => ({
          key: date,
          cells: [formatPlainDate(date), formatMoney(recovered), formatMoney(total)],
        })),
      }}
    >
      <Drawing days={cumulated} label={`${CHARTS.recovered.name}. ${says}`} />
    </ChartFrame>
  );
}

function Drawing({ days, label }: { readonly days: readonly CumulatedDay[]; readonly label: string }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const drawing = useMemo(() => (width === 0 ? null : drawRecovered(days, width)), [days, width]);
  return (
    <div ref={ref} className={styles['place']}>
      {drawing !== null && (
        <svg role="img" aria-label={label} width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`}>
          <Panel title={CHARTS.recovered.total} titleAt={PANEL_TITLES.total} {...drawing} {...drawing.totals} />
          <path className={styles['area']} d={drawing.totals.area} />
          <path className={styles['line']} d={drawing.totals.line} />
          <circle className={styles['end']} cx={drawing.end.x} cy={drawing.end.y} r="4" />
          <Panel title={CHARTS.recovered.perDay} titleAt={PANEL_TITLES.day} {...drawing} {...drawing.daily} />
          {drawing.bars.map((bar, index) => {
            const { date, recovered, total } = days[index]!;
            return (
              <g key={date} className={styles['day']}>
                <rect className={styles['pointed']} x={bar.from} y="0" width={bar.span} height={HEIGHT}>
                  <title>
                    {CHARTS.recovered.ofDay(formatPlainDate(date), formatMoney(recovered), formatMoney(total))}
                  </title>
                </rect>
                <rect
                  className={recovered < 0 ? styles['refunded'] : styles['bar']}
                  x={bar.x}
                  y={bar.y}
                  width={bar.width}
                  height={bar.height}
                />
              </g>
            );
          })}
          {drawing.dates.map(({ x, label: date }) => (
            <text key={x} x={x} y={DATES_AT} textAnchor="middle">
              {date}
            </text>
          ))}
        </svg>
      )}
    </div>
  );
}

interface PanelProps {
  readonly title: string;
  readonly titleAt: number;
  readonly left: number;
  readonly right: number;
  readonly zero: number;
  readonly ticks: readonly { readonly y: number; readonly label: string }[];
}

function Panel({ title, titleAt, left, right, zero, ticks }: PanelProps) {
  return (
    <>
      <text className={styles['title']} x="0" y={titleAt}>
        {title}
      </text>
      {ticks.map(({ y, label }) => (
        <g key={label}>
          <line className={y === zero ? styles['zero'] : styles['grid']} x1={left} x2={right} y1={y} y2={y} />
          <text x={left - 8} y={y} dy="0.32em" textAnchor="end">
            {label}
          </text>
        </g>
      ))}
    </>
  );
}
