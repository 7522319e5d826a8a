import { Worker } from 'node:worker_threads';
import type { RenderedReceipt } from '../../../ports/receipt-renderer.ts';
import type { ReceiptData } from '../../../texts/document/receipt-data.ts';
import type { DrawRequest, DrawResult } from './messages.ts';

export type Outcome =
  | { readonly kind: 'drawn'; readonly rendered: RenderedReceipt }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'crashed' }
  | { readonly kind: 'timed_out' };

/** One worker thread, which draws one document at a time. After `crashed` or `timed_out` it cannot be used again. */
export class DrawingThread {
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
