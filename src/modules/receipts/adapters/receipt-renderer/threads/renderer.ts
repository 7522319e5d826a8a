import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../../../../kernel/errors.ts';
import { ReceiptRenderError, type ReceiptRenderer, type RenderedReceipt } from '../../../ports/receipt-renderer.ts';
import type { ReceiptData } from '../../../texts/document/receipt-data.ts';
import type { DrawRequest, DrawResult } from './messages.ts';

type Outcome =
  | { readonly kind: 'drawn'; readonly rendered: RenderedReceipt }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'crashed' }
  | { readonly kind: 'timed_out' };

/** One worker thread, which draws one document at a time. After `crashed` or `timed_out` it cannot be used again. */
class DrawingThread {
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  #settle: ((outcome: Outcome) => void) | undefined;

  constructor(url: URL) {
    // The thread needs no environment, so it receives no secrets.
    this.#worker = new Worker(url, {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 64 },
    });
    // An idle renderer must not keep the process alive.
    this.#worker.unref();
    this.#worker.on('message', (answer: DrawResult) => {
      if (answer.ok) this.#finish({ kind: 'drawn', rendered: { bytes: answer.bytes, sha256: answer.sha256 } });
      else this.#finish({ kind: 'refused', message: answer.message });
    });
    this.#worker.on('error', () => this.#finish({ kind: 'crashed' }));
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#finish({ kind: 'crashed' });
        resolve();
      });
    });
  }

  draw(data: ReceiptData, timeoutMs: number): Promise<Outcome> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#finish({ kind: 'timed_out' });
        void this.end();
      }, timeoutMs);
      this.#settle = (outcome) => {
        clearTimeout(timer);
        this.#worker.unref();
        resolve(outcome);
      };
      this.#worker.ref();
      try {
        this.#worker.postMessage({ data } satisfies DrawRequest);
      } catch {
        this.#finish({ kind: 'refused', message: 'the document cannot be passed to a thread' });
      }
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
    await this.ended;
  }

  #finish(outcome: Outcome): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(outcome);
  }
}

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
