import { availableParallelism } from 'node:os';
import { AppError } from '../../../../../kernel/errors.ts';
import { ReceiptRenderError, type ReceiptRenderer, type RenderedReceipt } from '../../../ports/receipt-renderer.ts';
import type { ReceiptData } from '../../../texts/document/receipt-data.ts';
import { DrawingThread } from './drawing-thread.ts';

export interface ThreadRendererOptions {
  /** The default is one thread for each core. */
  readonly threads?: number;
  /** The greatest number of documents that may wait for a thread; further ones are refused. */
  readonly maxWaiting?: number;
  /** A document that takes longer is abandoned, and its thread is replaced. */
  readonly timeoutMs?: number;
  readonly workerUrl?: URL;
}

interface Job {
  readonly data: ReceiptData;
  readonly resolve: (rendered: RenderedReceipt) => void;
  readonly reject: (error: Error) => void;
  crashes: number;
}

/** Draws receipts in a pool of worker threads, which start when they are first needed. */
export function createThreadRenderer(options: ThreadRendererOptions = {}): ReceiptRenderer<ReceiptData> {
  const {
    threads = availableParallelism(),
    maxWaiting = 1_000,
    timeoutMs = 10_000,
    workerUrl = new URL('./worker.ts', import.meta.url),
  } = options;
  const all = new Set<DrawingThread>();
  const idle: DrawingThread[] = [];
  const waiting: Job[] = [];
  let working = 0;
  let closed: { readonly done: Promise<void>; readonly finish: () => void } | undefined;

  function takeThread(): DrawingThread | undefined {
    const free = idle.pop();
    if (free || all.size >= threads) return free;
    const thread = new DrawingThread(workerUrl);
    all.add(thread);
    void thread.ended.then(() => {
      all.delete(thread);
      const index = idle.indexOf(thread);
      if (index >= 0) idle.splice(index, 1);
      startWaiting();
    });
    return thread;
  }

  function startWaiting(): void {
    while (waiting.length > 0) {
      const thread = takeThread();
      if (!thread) return;
      void run(thread, waiting.shift()!);
    }
    if (closed && working === 0) closed.finish();
  }

  async function run(thread: DrawingThread, job: Job): Promise<void> {
    working++;
    const outcome = await thread.draw(job.data, timeoutMs);
    working--;
    switch (outcome.kind) {
      case 'drawn':
        job.resolve(outcome.rendered);
        break;
      case 'refused':
        job.reject(new ReceiptRenderError('bad_data', outcome.message));
        break;
      case 'timed_out':
        job.reject(new ReceiptRenderError('timed_out', 'drawing the document took too long'));
        break;
      case 'crashed':
        // The machine may have caused one crash (memory); after a second crash the document is considered the cause.
        if (++job.crashes < 2) waiting.unshift(job);
        else job.reject(new ReceiptRenderError('crashed', 'drawing the document crashed its thread'));
    }
    if (outcome.kind === 'drawn' || outcome.kind === 'refused') idle.push(thread);
    startWaiting();
  }

  return {
    render(data) {
      if (closed) return Promise.reject(new AppError('unavailable', { detail: 'The receipt renderer is closed' }));
      if (waiting.length >= maxWaiting) {
        return Promise.reject(
          new AppError('unavailable', { detail: 'Too many receipts are waiting', retryAfterSeconds: 1 }),
        );
      }
      return new Promise((resolve, reject) => {
        waiting.push({ data, resolve, reject, crashes: 0 });
        startWaiting();
      });
    },
    async close() {
      if (!closed) {
        const { promise, resolve } = Promise.withResolvers<void>();
        closed = { done: promise, finish: resolve };
        startWaiting();
      }
      await closed.done;
      await Promise.all([...all].map((thread) => thread.end()));
    },
  };
}
