import { Worker } from 'node:worker_threads';
import type { Answer, Result, Task } from './messages.ts';

export type Outcome = Result | { readonly kind: 'crashed' } | { readonly kind: 'timed_out' };

/** One worker thread, which reads one message at a time once it is ready. After `timed_out` it cannot be used again. */
export class ReadingThread {
  /** Resolves to false when the thread ended without having been ready. */
  readonly ready: Promise<boolean>;
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  #settle: ((outcome: Outcome) => void) | undefined;

  constructor(url: URL) {
    // The thread needs no environment, so it gets none: the environment contains secrets.
    this.#worker = new Worker(url, {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
    });
    const ready = Promise.withResolvers<boolean>();
    const ended = Promise.withResolvers<void>();
    this.ready = ready.promise;
    this.ended = ended.promise;
    this.#worker.on('message', (answer: Answer) => {
      if (answer.kind === 'ready') {
        // An idle thread must not keep the process alive.
        this.#worker.unref();
        ready.resolve(true);
      } else {
        this.#finish(answer.kind === 'failed' ? { kind: 'crashed' } : answer);
      }
    });
    this.#worker.on('error', () => this.#finish({ kind: 'crashed' }));
    this.#worker.once('exit', () => {
      ready.resolve(false);
      this.#finish({ kind: 'crashed' });
      ended.resolve();
    });
  }

  read(task: Task, deadlineMs: number): Promise<Outcome> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#finish({ kind: 'timed_out' });
        void this.end();
      }, deadlineMs);
      this.#settle = (outcome) => {
        clearTimeout(timer);
        this.#worker.unref();
        resolve(outcome);
      };
      this.#worker.ref();
      this.#worker.postMessage(task);
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
