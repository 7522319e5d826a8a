import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './table.module.css';

export interface Column<Row> {
  readonly key: string;
  /** Empty for a column of buttons, which name themselves. */
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  readonly numeric?: boolean;
  /** A date or another short value, which is never broken. */
  readonly short?: boolean;
  /** What a narrow screen leaves out, because it is also told elsewhere. */
  readonly desk?: boolean;
  /** Long texts stand beneath the name of their column on a card. */
  readonly wide?: boolean;
}

/** A short table. On a narrow screen each row becomes a card whose values carry the names of their columns. */
export function Table<Row>({
  caption,
  captionShown = false,
  columns,
  rows,
  rowKey,
}: {
  readonly caption: string;
  /** For a table that no heading stands above. */
  readonly captionShown?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}) {
  return (
    <table className={styles['table']}>
      <caption className={captionShown ? styles['caption'] : 'visually-hidden'}>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ key, label, numeric }) =>
            label === '' ? (
              <td key={key} />
            ) : (
              <th key={key} scope="col" className={numeric ? styles['numeric'] : undefined}>
                {label}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ key, label, cell, numeric, short, desk, wide }) => (
              <td
                key={key}
                data-label={label}
                className={
                  classNames(
                    numeric && styles['numeric'],
                    short && styles['short'],
                    desk && styles['desk'],
                    wide && styles['wide'],
                  ) || undefined
                }
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
