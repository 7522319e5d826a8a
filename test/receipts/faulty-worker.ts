import { parentPort } from 'node:worker_threads';
import type { DrawRequest } from '../../src/modules/receipts/adapters/receipt-renderer/threads/messages.ts';

/** The real worker, except that some documents end it before it can answer. */
parentPort?.on('message', ({ data }: DrawRequest) => {
  if (data.protocol === 'QT-CRASH') process.exit(9);
  if (data.protocol === 'QT-LAST-WORDS') setImmediate(() => process.exit(9));
  if (data.protocol === 'QT-HANG') for (;;);
});
await import('../../src/modules/receipts/adapters/receipt-renderer/threads/worker.ts');
