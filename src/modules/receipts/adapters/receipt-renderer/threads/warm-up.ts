import { availableParallelism } from 'node:os';
import type { ReceiptRenderer } from '../../../ports/receipt-renderer.ts';
import type { DocumentData } from '../../../texts/document/agreement-data.ts';
import { SPECIMEN } from '../../../texts/document/specimen.ts';

const SPECIMENS_PER_THREAD = 40;

/**
 * Starts the threads and draws until the code is compiled: a page of a hundred receipts takes four times as long
 * without this. Each thread has one specimen at a time, so that real receipts hardly wait meanwhile.
 */
export async function warmUpRenderer(
  renderer: ReceiptRenderer<DocumentData>,
  threads: number = availableParallelism(),
): Promise<void> {
  await Promise.all(
    Array.from({ length: threads }, async () => {
      for (let drawn = 0; drawn < SPECIMENS_PER_THREAD; drawn++) await renderer.render(SPECIMEN);
    }),
  );
}
