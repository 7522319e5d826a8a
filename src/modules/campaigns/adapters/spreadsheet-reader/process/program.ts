import { writeFileSync } from 'node:fs';
import { SpreadsheetError } from '../../../ports/spreadsheet-reader.ts';
import { readCsv } from '../csv/read-csv.ts';
import { readWorkbook } from '../xlsx/read-workbook.ts';
import { FrameQueue, frame, jsonFrame, type ReadRequest } from './messages.ts';

const DAMAGED = new SpreadsheetError('invalid_format', 'The file is no well-formed XLSX workbook');

/** When memory is short, Linux ends this process and not the service. Other systems have no such file. */
function offerToKernel(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // The limits of this process do not depend on it.
  }
}

/** Reads the request and the bytes of the file, which arrive in one stream. */
async function receive(): Promise<{ request: ReadRequest; bytes: Buffer }> {
  const queue = new FrameQueue();
  let request: ReadRequest | undefined;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    queue.push(chunk);
    const head = request === undefined ? queue.next() : null;
    if (head !== null) request = JSON.parse(head.toString('utf8')) as ReadRequest;
    if (request !== undefined && queue.length >= request.length) return { request, bytes: queue.take(request.length) };
  }
  throw new Error('The request is not complete');
}

async function answer(): Promise<Buffer[]> {
  const { request, bytes } = await receive();
  const { format, limits } = request;
  try {
    const { sheets, batches } =
      format.kind === 'csv'
        ? { sheets: [], batches: await readCsv(bytes, format, limits) }
        : await readWorkbook(bytes, format.sheet, limits);
    return [...jsonFrame({ kind: 'read', sheets, batches: batches.length }), ...batches.flatMap(frame)];
  } catch (error) {
    // The message of another error may quote the file.
    const { code, message } = error instanceof SpreadsheetError ? error : DAMAGED;
    return jsonFrame({ kind: 'refused', code, message });
  }
}

offerToKernel();
for (const part of await answer()) {
  if (!process.stdout.write(part)) await new Promise((resolve) => process.stdout.once('drain', resolve));
}
process.stdin.destroy();
