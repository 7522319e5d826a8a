import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { rawRow, workbookEntries, zip } from '../../../../../../testing/workbook.ts';
import type { SheetFormat, SpreadsheetFile, SpreadsheetReader } from '../../../ports/spreadsheet-reader.ts';
import type { SheetRow } from '../../../rules/spreadsheet/sheet-row.ts';
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

/** Hangs, crashes, fills its heap, fills its buffers or answers with its environment, as the first byte of the file says. */
const PROGRAM = `
  let sent = Buffer.alloc(0);
  const frame = (value) => {
    const content = Buffer.from(JSON.stringify(value));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(content.length);
    return Buffer.concat([length, content]);
  };
  process.stdin.on('data', (chunk) => (sent = Buffer.concat([sent, chunk])));
  process.stdin.on('end', () => {
    const kind = sent.at(-1);
    if (kind === 1) for (;;);
    if (kind === 2) process.exit(1);
    if (kind === 3) { const all = []; for (;;) all.push(new Array(10_000).fill(all.length)); }
    if (kind === 4) { const all = []; setInterval(() => all.push(Buffer.alloc(8 * 1024 * 1024, 1)), 1); return; }
    process.stdout.write(frame({ kind: 'read', sheets: [String(process.env.HOME)], batches: 0 }));
  });`;
const [HANGS, CRASHES, FILLS_HEAP, FILLS_BUFFERS, ANSWERS] = [1, 2, 3, 4, 5].map((byte) => Uint8Array.of(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const XLSX: SheetFormat = { kind: 'xlsx', sheet: null };
const file = (bytes: Uint8Array, clientId = 'a', format: SheetFormat = XLSX): SpreadsheetFile => ({
  clientId,
  bytes,
  format,
  limits: { maxRows: 100, maxColumns: 200 },
});
const csv = (text: string) => file(Buffer.from(text), 'a', { kind: 'csv', encoding: 'utf-8', delimiter: ';' });

async function rowsOf(of: SpreadsheetFile, from = reader()): Promise<SheetRow[]> {
  const all: SheetRow[] = [];
  for await (const batch of (await from.read(of)).rows) all.push(...batch);
  return all;
}

describe('createSpreadsheetReader', () => {
  let folder: string;
  let program: URL;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quita-reader-'));
    const path = join(folder, 'program.mjs');
    await writeFile(path, PROGRAM);
    program = pathToFileURL(path);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('reads a workbook and a CSV in a process without the environment of the service', async () => {
    const sheet = zip(workbookEntries([{ name: 'A', data: rawRow(2, ['Nome', 'Valor']) + rawRow(5, ['Ana', '1']) }]));
    const rows = [
      { row: 2, cells: ['Nome', 'Valor'] },
      { row: 5, cells: ['Ana', '1'] },
    ];
    expect(await rowsOf(file(sheet))).toEqual(rows);
    expect(await rowsOf(csv('\uFEFF\nNome;Valor;;\n\n ;\nAna;1'))).toEqual(rows);
    expect((await reader({ program }).read(file(ANSWERS))).sheets).toEqual(['undefined']);
  });

  it('refuses a file that takes too long or too much memory of any kind, and reads the next one', async () => {
    const tooLong = { name: 'SpreadsheetError', code: 'too_long' };
    const limited = reader({ program, heapMb: 32, memoryMb: 200 });
    await expect(reader({ program, timeoutMs: 1_500 }).read(file(HANGS))).rejects.toMatchObject(tooLong);
    const refused = [FILLS_HEAP, ...(process.platform === 'linux' ? [FILLS_BUFFERS] : [])];
    const results = refused.map((bytes) => expect(limited.read(file(bytes))).rejects.toMatchObject(tooLong));
    const crashed = expect(limited.read(file(CRASHES))).rejects.toMatchObject({ code: 'unavailable' });
    const answered = limited.read(file(ANSWERS));
    await Promise.all([...results, crashed]);
    expect((await answered).sheets).toHaveLength(1);
  });

  it('reads one file at a time, and lets the clients take turns', async () => {
    const fair = reader({ program });
    const order: string[] = [];
    const read = (name: string) =>
      fair.read(file(ANSWERS, name[0])).then(() => {
        order.push(name);
      });
    await Promise.all(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(read));
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('counts the blank rows of a CSV, and reads no more rows than it is asked for', async () => {
    expect((await rowsOf(csv(`a\n${'x\n'.repeat(150)}`))).length).toBe(100);
    await expect(reader().read(csv(`a${'\n'.repeat(100_001)}b`))).rejects.toMatchObject({ code: 'too_long' });
    await expect(reader().read(csv('"a'))).rejects.toMatchObject({ code: 'invalid_format' });
    await expect(reader().read(csv('x'.repeat(70_000)))).rejects.toMatchObject({ code: 'too_long' });
    await expect(reader().read(csv('x;'.repeat(201)))).rejects.toMatchObject({ code: 'too_long' });
  });

  it('ends its processes when it is closed', async () => {
    const closing = reader({ program });
    const failed = expect(closing.read(file(HANGS))).rejects.toMatchObject({ code: 'unavailable' });
    await closing.close();
    await failed;
    await expect(closing.read(file(ANSWERS))).rejects.toMatchObject({ code: 'unavailable' });
  });
});
