import { Worker } from 'node:worker_threads';
import { AppError } from '../../../../../kernel/errors.ts';
import { createFairPlaces } from '../../../../../kernel/fair-places.ts';
import type { RehearsalBatch, RehearsalRunner } from '../../../ports/rehearsal-runner.ts';
import type { RehearsalFrame } from '../../../rules/rehearsal/rehearsed-debt.ts';
import type { RehearsalSummary } from '../../../rules/rehearsal/summarize.ts';
import { createSender, type Result, type Task } from './messages.ts';

interface RehearsalThreadsOptions {
  /** The most rehearsals of a client, running or waiting, and the most that wait at all; a further one is refused. */
  readonly mostOfClient?: number;
  readonly mostWaiting?: number;
  /** How long a rehearsal waits for the others. */
  readonly waitMs?: number;
  readonly timeoutMs?: number;
  readonly workerUrl?: URL;
}

const RETRY_AFTER_SECONDS = 5;

/**
 * Plays each campaign in a worker thread of its own, one at a time, so that the process goes on serving. The thread ends
 * with the rehearsal: one that stayed would hold the memory of the largest campaign. A client's
 * second one waits behind those of the others, so that it delays them by one at most.
 */
export function createRehearsalThreads(options: RehearsalThreadsOptions = {}): RehearsalRunner & {
  close(): Promise<void>;
} {
  const {
    mostOfClient = 3,
    mostWaiting = 20,
    waitMs = 90_000,
    timeoutMs = 60_000,
    workerUrl = new URL('./worker.ts', import.meta.url),
  } = options;
  const turns = createFairPlaces({ atOnce: 1, each: 1 });
  const threads = new Set<Worker>();
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
      const busy = (detail: string) => new AppError('unavailable', { detail, retryAfterSeconds: RETRY_AFTER_SECONDS });
      if (turns.of(frame.clientId) >= mostOfClient) throw busy('Other rehearsals of this account are running.');
      if (turns.waiting() >= mostWaiting) throw busy('Other rehearsals are running.');
      const { ready, leave } = turns.take(frame.clientId);
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(busy('Other rehearsals are running.')), waitMs);
      try {
        await Promise.race([ready, late]);
        clearTimeout(timer);
        return await play(frame, batches);
      } finally {
        clearTimeout(timer);
        leave();
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
