import { afterEach, describe, expect, it } from '@jest/globals';
import { rawRow, workbookEntries, zip } from '../../../../test/support/workbook.ts';
import type { SheetRow, SpreadsheetReader } from '../../../ports/spreadsheet-reader.ts';
import { createSpreadsheetReader, type SpreadsheetReaderOptions } from './reader.ts';

const open: SpreadsheetReader[] = [];
const reader = (options?: SpreadsheetReaderOptions): SpreadsheetReader => {
  const created = createSpreadsheetReader(options);
  open.push(created);
  return created;
};
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** Hangs, crashes, fills its memory or answers, as the first byte of the file says. */
const WORKER = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ bytes }) => {
      if (bytes[0] === 1) for (;;);
      if (bytes[0] === 2) process.exit(1);
      if (bytes[0] === 3) { const all = []; for (;;) all.push(new Array(10_000).fill(all.length)); }
      parentPort.postMessage({ kind: 'read', sheets: [String(process.env.HOME)], batches: [] });
    });`)}`,
);
const [HANGS, CRASHES, FILLS, ANSWERS] = [1, 2, 3, 4].map((byte) => Uint8Array.of(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const CHOICE = { sheet: null, maxRows: 100, maxColumns: 200 };

describe('createSpreadsheetReader', () => {
  it('reads a workbook in a thread without the environment of the process', async () => {
    const file = zip(workbookEntries([{ name: 'A', data: rawRow(2, ['Nome', 'Valor']) + rawRow(5, ['Ana', '1']) }]));
    const { sheets, rows } = await reader().read(file, CHOICE);
    const all: SheetRow[] = [];
    for await (const batch of rows) all.push(...batch);
    expect([sheets, all]).toEqual([
      ['A'],
      [
        { row: 2, cells: ['Nome', 'Valor'] },
        { row: 5, cells: ['Ana', '1'] },
      ],
    ]);
    expect((await reader({ workerUrl: WORKER }).read(ANSWERS, CHOICE)).sheets).toEqual(['undefined']);
  });

  it('refuses a file that takes too long or too much memory, and reads the next one', async () => {
    const limited = reader({ workerUrl: WORKER, timeoutMs: 3_000, heapMb: 32, threads: 1 });
    const tooLong = { name: 'SpreadsheetError', code: 'too_long' };
    const refused = [limited.read(HANGS, CHOICE), limited.read(FILLS, CHOICE)];
    const crashed = limited.read(CRASHES, CHOICE);
    const answered = limited.read(ANSWERS, CHOICE);
    await expect(refused[0]).rejects.toMatchObject(tooLong);
    await expect(refused[1]).rejects.toMatchObject(tooLong);
    await expect(crashed).rejects.toMatchObject({ code: 'unavailable' });
    expect((await answered).sheets).toHaveLength(1);
  });

  it('ends its threads when it is closed', async () => {
    const closing = reader({ workerUrl: WORKER });
    const hanging = closing.read(HANGS, CHOICE);
    const failed = expect(hanging).rejects.toMatchObject({ code: 'unavailable' });
    await closing.close();
    await failed;
    await expect(closing.read(ANSWERS, CHOICE)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
