import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { ReceiptDataError } from '../../../texts/document/receipt-data.ts';
import { renderDocument } from '../../../texts/document/render.ts';
import type { DrawRequest, DrawResult } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread only');

port.on('message', ({ data }: DrawRequest) => {
  let answer: DrawResult;
  try {
    const bytes = renderDocument(data);
    answer = { ok: true, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
  } catch (error) {
    // Only the message of a `ReceiptDataError` is known to hold no personal data.
    answer = {
      ok: false,
      message: error instanceof ReceiptDataError ? error.message : 'the document could not be drawn',
    };
  }
  port.postMessage(answer, answer.ok ? [answer.bytes.buffer] : []);
});
