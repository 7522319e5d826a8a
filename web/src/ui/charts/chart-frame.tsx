import type { ReactNode } from 'react';
import { CHARTS } from '../../texts/charts.ts';
import styles from './chart-frame.module.css';
import { Scroller } from './scroller.tsx';

interface TableColumn {
  readonly label: string;
  readonly figures?: boolean;
}

export interface ChartTable {
  readonly name: string;
  /** The first column names the row. */
  readonly columns: readonly TableColumn[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly string[] }[];
  readonly total?: readonly string[];
}

interface ChartFrameProps {
  readonly sentence: string;
  /** How the figures are computed, for the people who have to answer for them. */
  readonly method: string;
  readonly empty: boolean;
  readonly table?: ChartTable;
  readonly children: ReactNode;
}

/** Keeps an amount on one line. */
const unbroken = (text: string): string => text.replaceAll('R$ ', 'R$\u00a0');

/** What all charts share: the sentence above the drawing, the method and the figures beneath it. */
export function ChartFrame({ sentence, method, empty, table, children }: ChartFrameProps) {
  return (
    <figure className={styles['frame']}>
      <figcaption className={styles['sentence']}>{empty ? CHARTS.empty : unbroken(sentence)}</figcaption>
      {empty ? <div className={styles['empty']} aria-hidden="true" /> : children}
      <div className={styles['more']}>
        <details>
          <summary>{CHARTS.method}</summary>
          <p className={styles['method']}>{method}</p>
        </details>
        {!empty && table !== undefined && (
          <details>
            <summary>{CHARTS.table}</summary>
            <DataTable {...table} />
          </details>
        )}
      </div>
    </figure>
  );
}

function DataTable({ name, columns, rows, total }: ChartTable) {
  const cells = (texts: readonly string[]) =>
    texts.map((text, index) =>
      index === 0 ? (
        <th key={columns[index]?.label} scope="row">
          {text}
        </th>
      ) : (
        <td key={columns[index]?.label} className={columns[index]?.figures ? styles['figures'] : undefined}>
          {text}
        </td>
      ),
    );
  return (
    <Scroller name={name}>
      <table className={styles['table']}>
        <caption className="visually-hidden">{name}</caption>
        <thead>
          <tr>
            {columns.map(({ label, figures }) => (
              <th key={label} scope="col" className={figures ? styles['figures'] : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>{cells(row.cells)}</tr>
          ))}
        </tbody>
        {total !== undefined && (
          <tfoot>
            <tr>{cells(total)}</tr>
          </tfoot>
        )}
      </table>
    </Scroller>
  );
}
