import { availableParallelism } from 'node:os';
import type { ReceiptData } from '../../../documents/receipt/receipt-data.ts';
import { SPECIMEN } from '../../../documents/receipt/specimen.ts';
import type { ReceiptRenderer } from '../../../ports/receipt-renderer.ts';

const SPECIMENS_PER_THREAD = 40;

/**
 * Starts the threads and draws until the code is compiled: a cold page of a hundred takes four times as long as a warm
 * one. One specimen a thread at a time, so that real receipts that come meanwhile hardly wait.
 */
export async function warmUpRenderer(
  renderer: ReceiptRenderer<ReceiptData>,
  threads: number = availableParallelism(),
): Promise<void> {
  await Promise.all(
    Array.from({ length: threads }, async () => {
      for (let drawn = 0; drawn < SPECIMENS_PER_THREAD; drawn++) await renderer.render(SPECIMEN);
    }),
  );
}
