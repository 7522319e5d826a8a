import { useMemo } from 'react';
import { formatCount } from '../../format.ts';
import { CHARTS } from '../../texts/charts.ts';
import { ChartFrame } from './chart-frame.tsx';
import { type HeatCell, heatGrid, heatSentence } from './heat.ts';
import styles from './heat-table.module.css';
import { Scroller } from './scroller.tsx';

interface HeatTableProps {
  readonly cells: readonly HeatCell[];
  readonly method: string;
  readonly sentence?: string;
}

/** Contacts by day and hour. The drawing is itself the table of the figures, so the frame shows no second one. */
export function HeatTable({ cells, method, sentence }: HeatTableProps) {
  const grid = useMemo(() => heatGrid(cells), [cells]);
  return (
    <ChartFrame sentence={sentence ?? heatSentence(grid)} method={method} empty={grid.rows.length === 0}>
      <div className={styles['drawing']}>
        <Scroller name={CHARTS.heat.name}>
          <table className={styles['table']}>
            <caption className="visually-hidden">{CHARTS.heat.name}</caption>
            <thead>
              <tr>
                <th scope="col">{CHARTS.heat.day}</th>
                {grid.hours.map((hour) => (
                  <th key={hour} scope="col">
                    {CHARTS.heat.hour(hour)}
                  </th>
                ))}
                <th scope="col">{CHARTS.total}</th>
              </tr>
            </thead>
            <tbody>
              {grid.rows.map(({ date, day, counts, total }) => (
                <tr key={date}>
                  <th scope="row">{day}</th>
                  {counts.map(({ hour, count, level }) => (
                    <td key={hour} data-level={level}>
                      {formatCount(count)}
                    </td>
                  ))}
                  <td className={styles['total']}>{formatCount(total)}</td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">{CHARTS.total}</th>
                {grid.hours.map((hour, index) => (
                  <td key={hour}>{formatCount(grid.totals[index]!)}</td>
                ))}
                <td>{formatCount(grid.total)}</td>
              </tr>
            </tfoot>
          </table>
        </Scroller>
        <p className={styles['scale']}>{CHARTS.heat.scale}</p>
      </div>
    </ChartFrame>
  );
}
