import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { readZip } from '../../../testing/read-zip.ts';
import { csvOf } from './csv.ts';
import type { Portions, Table } from './table.ts';
import { xlsxOf } from './xlsx.ts';

const TABLE: Table<number> = {
  name: 'Números & "letras"',
  columns: [
    { header: 'Texto', width: 10, kind: 'text', value: (n) => (n === 0 ? null : `a\u0001\ud800${n}`) },
    { header: 'Valor', width: 10, kind: 'money', value: (n) => (n === 0 ? null : -n) },
    { header: 'Inteiro', width: 10, kind: 'integer', value: (n) => (n === 0 ? null : n) },
    { header: 'Data', width: 10, kind: 'date', value: (n) => (n === 0 ? null : '2026-11-20') },
    {
      header: 'Hora',
      width: 10,
      kind: 'moment',
      value: (n) => (n === 0 ? null : { date: '2026-11-20', time: '18:00:00' }),
    },
  ],
};

/** Rows without an end, with how many portions were asked for and whether the reading has ended. */
function endless() {
  const seen = { portions: 0, ended: false };
  async function* portions(): AsyncGenerator<number[]> {
    try {
      for (;;) {
        seen.portions += 1;
        yield Array.from({ length: 500 }, () => Math.floor(Math.random() * 1e9) + 1);
        await sleep(1);
      }
    } finally {
      seen.ended = true;
    }
  }
  return { seen, portions: portions() };
}

async function* of(...portions: number[][]): AsyncGenerator<number[]> {
  yield* portions;
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part as string));
  return Buffer.concat(parts);
}

const textOf = async (stream: Readable): Promise<string> => (await bytesOf(stream)).toString();

const WRITERS: readonly (readonly [string, <Row>(table: Table<Row>, portions: Portions<Row>) => Readable])[] = [
  ['CSV', csvOf],
  ['XLSX', xlsxOf],
];

describe.each(WRITERS)('a table as %s', (_, write) => {
  it('is read no faster than it is taken, and no more once the reader goes away', async () => {
    const { seen, portions } = endless();
    const stream = write(TABLE, portions);
    stream.once('readable', () => stream.read(1));
    await new Promise((resolve) => stream.once('readable', resolve));
    // Small buffers fill up, and then nothing more is asked for.
    for (let before = -1; before !== seen.portions && seen.portions < 1_000; ) {
      before = seen.portions;
      await sleep(500);
    }
    expect(seen.portions).toBeLessThan(1_000);
    stream.destroy();
    for (let waited = 0; !seen.ended && waited < 200; waited++) await sleep(10);
    expect(seen.ended).toBe(true);
  });

  it('ends with the error of its rows', async () => {
    async function* failing(): AsyncGenerator<number[]> {
      yield [1];
      throw new Error('the database is gone');
    }
    await expect(textOf(write(TABLE, failing()))).rejects.toThrow('the database is gone');
  });
});

describe('a table as CSV', () => {
  it('leaves empty cells empty, and writes negative amounts as numbers', async () => {
    expect(await textOf(csvOf(TABLE, of([0], [], [5])))).toBe(
      '\ufeffTexto;Valor;Inteiro;Data;Hora\r\n;;;;\r\na\u0001\ufffd5;-5,00;5;20/11/2026;20/11/2026 18:00:00\r\n',
    );
  });
});

describe('a table as XLSX', () => {
  it('filters and sorts by each of its headers, over all rows', async () => {
    const sheet = readZip(await bytesOf(xlsxOf(TABLE, of([1, 2], [3])))).get('xl/worksheets/sheet1.xml');
    expect(sheet?.toString()).toMatch(/<\/sheetData><autoFilter ref="A1:E4"\/><\/worksheet>$/);
  });
});
