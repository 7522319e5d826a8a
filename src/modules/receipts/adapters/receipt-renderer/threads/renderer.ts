import { availableParallelism } from 'node:os';
import { AppError } from '../../../../../kernel/errors.ts';
import { createWorkerPool, ThreadFailure } from '../../../../../platform/threads/worker-pool.ts';
import { ReceiptRenderError, type ReceiptRenderer } from '../../../ports/receipt-renderer.ts';
import type { DocumentData } from '../../../texts/document/agreement-data.ts';
import type { DrawRequest, DrawResult } from './messages.ts';

export interface ThreadRendererOptions {
  /** The default is one thread for each core. */
  readonly threads?: number;
  /** The greatest number of documents that may wait for a thread; further ones are refused. */
  readonly maxWaiting?: number;
  /** A document that takes longer is abandoned, and its thread is replaced. */
  readonly timeoutMs?: number;
  readonly workerUrl?: URL;
}

/** Draws documents in worker threads, which start when they are first needed. */
export function createThreadRenderer(options: ThreadRendererOptions = {}): ReceiptRenderer<DocumentData> {
  const pool = createWorkerPool<DrawRequest, DrawResult>({
    workerUrl: options.workerUrl ?? new URL('./worker.ts', import.meta.url),
    threads: options.threads ?? availableParallelism(),
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 64 },
    timeoutMs: options.timeoutMs ?? 10_000,
    maxWaiting: options.maxWaiting ?? 1_000,
    // The machine may have caused one crash (memory); after a second crash the document is considered the cause.
    attempts: 2,
  });
  return {
    async render(data) {
      const result = await pool.run([{ data }]).catch((error: unknown) => {
        throw renderError(error);
      });
      if (!result.ok) throw new ReceiptRenderError('bad_data', result.message);
      return { bytes: result.bytes, sha256: result.sha256 };
    },
    close: () => pool.close('finish'),
  };
}

function renderError(error: unknown): Error {
  switch (error instanceof ThreadFailure && error.failure) {
    case 'closed':
      return new AppError('unavailable', { detail: 'The receipt renderer is closed' });
    case 'full':
      return new AppError('unavailable', { detail: 'Too many receipts are waiting', retryAfterSeconds: 1 });
    case 'timed_out':
      return new ReceiptRenderError('timed_out', 'drawing the document took too long');
    case 'crashed':
      return new ReceiptRenderError('crashed', 'drawing the document crashed its thread');
    default:
      return new ReceiptRenderError('bad_data', 'the document cannot be passed to a thread');
  }
}
