import { parentPort } from 'node:worker_threads';
import { SpreadsheetError } from '../../../ports/spreadsheet-reader.ts';
import { readWorkbook } from '../xlsx/read-workbook.ts';
import type { ReadAnswer, ReadRequest } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread only');

const DAMAGED = new SpreadsheetError('invalid_format', 'The file is no well-formed XLSX workbook');

port.on('message', async ({ bytes, choice }: ReadRequest) => {
  try {
    const { sheets, batches } = await readWorkbook(bytes, choice);
    const answer: ReadAnswer = { kind: 'read', sheets, batches };
    port.postMessage(
      answer,
      batches.map(({ buffer }) => buffer),
    );
  } catch (error) {
    // The message of another error may quote the file.
    const { code, message } = error instanceof SpreadsheetError ? error : DAMAGED;
    port.postMessage({ kind: 'refused', code, message } satisfies ReadAnswer);
  }
});
