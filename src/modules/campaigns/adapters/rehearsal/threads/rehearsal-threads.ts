import { AppError } from '../../../../../kernel/errors.ts';
import { createFairPlaces } from '../../../../../kernel/fair-places.ts';
import { createWorkerPool, ThreadFailure } from '../../../../../platform/threads/worker-pool.ts';
import type { RehearsalBatch, RehearsalRunner } from '../../../ports/rehearsal-runner.ts';
import type { RehearsalFrame } from '../../../rules/rehearsal/rehearsed-debt.ts';
import type { RehearsalSummary } from '../../../rules/rehearsal/summarize.ts';
import { createSender, type Result, type Task } from './messages.ts';

/** The most rehearsals of a client, running or waiting, and the most that wait at all; a further one is refused. */
const MAX_OF_CLIENT = 3;
const MAX_WAITING = 20;
/** How long a rehearsal waits for the others. */
const WAIT_MS = 90_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * Plays each campaign in a worker thread of its own, one at a time, so that the process goes on serving. The thread ends
 * with the rehearsal: one that stayed would hold the memory of the largest campaign. A client's second one waits behind
 * those of the others, so that it delays them by one at most.
 */
export function createRehearsalThreads(): RehearsalRunner & { close(): Promise<void> } {
  const places = createFairPlaces({ atOnce: 1, each: 1 });
  const pool = createWorkerPool<Task, Result>({
    workerUrl: new URL('./worker.ts', import.meta.url),
    threads: 1,
    jobsPerThread: 1,
    resourceLimits: { maxOldGenerationSizeMb: 768 },
    timeoutMs: 60_000,
  });
  const busy = (detail: string) => new AppError('unavailable', { detail, retryAfterSeconds: RETRY_AFTER_SECONDS });

  async function play(frame: RehearsalFrame, batches: AsyncIterable<RehearsalBatch>): Promise<RehearsalSummary> {
    const result = await pool.run(tasksOf(frame, batches)).catch((error: unknown) => {
      const failure = error instanceof ThreadFailure && error.failure;
      if (failure === 'timed_out') throw busy('The rehearsal took too long.');
      if (failure === 'closed') throw new AppError('unavailable', { detail: 'The service is stopping.' });
      throw error;
    });
    if (result.kind === 'failed') throw new Error('The rehearsal failed in its thread.');
    return result.summary;
  }

  return {
    async run(frame, batches) {
      if (places.of(frame.clientId) >= MAX_OF_CLIENT) throw busy('Other rehearsals of this account are running.');
      if (places.waiting() >= MAX_WAITING) throw busy('Other rehearsals are running.');
      const { ready, leave } = places.take(frame.clientId);
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(busy('Other rehearsals are running.')), WAIT_MS);
      try {
        await Promise.race([ready, late]);
        clearTimeout(timer);
        return await play(frame, batches);
      } finally {
        clearTimeout(timer);
        leave();
      }
    },
    close: () => pool.close('abandon'),
  };
}

async function* tasksOf(frame: RehearsalFrame, batches: AsyncIterable<RehearsalBatch>): AsyncGenerator<Task> {
  const message = createSender();
  yield { kind: 'begin', frame };
  for await (const batch of batches) yield message(batch);
  yield { kind: 'play' };
}
