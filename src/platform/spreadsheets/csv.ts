import { Readable } from 'node:stream';
import { formatCalendarDate } from '../../kernel/texts/format.ts';
import type { Column, Portions, Table } from './table.ts';

/** Spreadsheet programs in Brazil read this file as it is: UTF-8 with BOM, semicolons and decimal commas. */
const BOM = '\ufeff';
const END = '\r\n';

/** A text that begins so, also in full-width signs, would be run as a formula. The apostrophe makes it a text again. */
const defused = (text: string): string => (/^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text);

const quoted = (text: string): string => (/[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function cellOf<Row>(column: Column<Row>, row: Row): string {
  switch (column.kind) {
    case 'text':
      return quoted(defused(column.value(row) ?? ''));
    case 'money':
      return column.value(row)?.toFixed(2).replace('.', ',') ?? '';
    case 'integer':
      return String(column.value(row) ?? '');
    case 'date': {
      const date = column.value(row);
      return date === null ? '' : formatCalendarDate(date);
    }
    case 'moment': {
      const moment = column.value(row);
      return moment === null ? '' : `${formatCalendarDate(moment.date)} ${moment.time}`;
    }
  }
}

async function* linesOf<Row>({ columns }: Table<Row>, portions: Portions<Row>): AsyncGenerator<string> {
  yield BOM + columns.map(({ header }) => quoted(header)).join(';') + END;
  for await (const rows of portions) {
    yield rows.map((row) => columns.map((column) => cellOf(column, row)).join(';') + END).join('');
  }
}

export const csvOf = <Row>(table: Table<Row>, portions: Portions<Row>): Readable =>
  Readable.from(linesOf(table, portions), { highWaterMark: 1 });
