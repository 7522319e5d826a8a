import { Worker } from 'node:worker_threads';
import { Semaphore } from 'async-mutex';
import { AppError } from '../../../domain/errors.ts';
import type { RehearsalFrame } from '../../../domain/rehearsal/rehearsed-debt.ts';
import type { RehearsalSummary } from '../../../domain/rehearsal/summarize.ts';
import type { RehearsalBatch, RehearsalRunner } from '../../../ports/rehearsal-runner.ts';
import { createSender, type Result, type Task } from './messages.ts';

interface RehearsalThreadsOptions {
  /** The most rehearsals that run or wait at once; a further one is refused. */
  readonly most?: number;
  readonly timeoutMs?: number;
  readonly workerUrl?: URL;
}

const RETRY_AFTER_SECONDS = 5;

/**
 * Plays each campaign in a worker thread of its own, one at a time, so that the process goes on serving. The thread ends
 * with the rehearsal: one that stayed would hold the memory of the largest campaign.
 */
export function createRehearsalThreads(options: RehearsalThreadsOptions = {}): RehearsalRunner & {
  close(): Promise<void>;
} {
  const { most = 3, timeoutMs = 60_000, workerUrl = new URL('./worker.ts', import.meta.url) } = options;
  const turns = new Semaphore(1);
  const threads = new Set<Worker>();
  let running = 0;
  let closed = false;

  async function play(frame: RehearsalFrame, batches: AsyncIterable<RehearsalBatch>): Promise<RehearsalSummary> {
    if (closed) throw new AppError('unavailable', { detail: 'The service is stopping.' });
    // The thread needs no environment, so it receives no secrets.
    const thread = new Worker(workerUrl, { env: {}, resourceLimits: { maxOldGenerationSizeMb: 768 } });
    threads.add(thread);
    const timer = setTimeout(() => void thread.terminate(), timeoutMs);
    const answer = resultOf(thread);
    try {
      const send = (task: Task): void => thread.postMessage(task);
      const feed = async (): Promise<never> => {
        const message = createSender();
        send({ kind: 'begin', frame });
        for await (const batch of batches) send(message(batch));
        send({ kind: 'play' });
        return new Promise(() => {});
      };
      const result = await Promise.race([answer, feed()]);
      if (result === null) {
        throw new AppError('unavailable', {
          detail: 'The rehearsal took too long.',
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      }
      if (result.kind === 'failed') throw new Error('The rehearsal failed in its thread.');
      return result.summary;
    } finally {
      clearTimeout(timer);
      threads.delete(thread);
      await thread.terminate();
    }
  }

  return {
    async run(frame, batches) {
      if (running >= most) {
        throw new AppError('unavailable', {
          detail: 'Other rehearsals are running.',
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      }
      running += 1;
      try {
        return await turns.runExclusive(() => play(frame, batches));
      } finally {
        running -= 1;
      }
    },
    async close() {
      closed = true;
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
}

/** Resolves to null when the thread was ended before it had answered. */
const resultOf = (thread: Worker): Promise<Result | null> =>
  new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => resolve(null));
  });
