import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { ReceiptDataError } from '../../../documents/receipt/receipt-data.ts';
import { renderReceipt } from '../../../documents/receipt/render.ts';
import type { Answer, Order } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('runs as a worker thread only');

port.on('message', ({ data }: Order) => {
  let answer: Answer;
  try {
    const bytes = renderReceipt(data);
    answer = { ok: true, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
  } catch (error) {
    // Only our own message is known to hold nothing personal.
    answer = {
      ok: false,
      message: error instanceof ReceiptDataError ? error.message : 'the document could not be drawn',
    };
  }
  port.postMessage(answer, answer.ok ? [answer.bytes.buffer] : []);
});
