import { AppError } from '../../../../../kernel/errors.ts';
import { createWorkerPool, ThreadFailure } from '../../../../../platform/threads/worker-pool.ts';
import type { ClientReplay, ReplayedContact } from '../../../../policy/rules/replay.ts';
import type { ReplayJob, ReplayRunner } from '../../../ports/replay-runner.ts';

export type ReplayTask =
  | { readonly kind: 'begin'; readonly job: ReplayJob }
  | { readonly kind: 'batch'; readonly contacts: readonly ReplayedContact[] }
  | { readonly kind: 'end' };

/** The message of an exception is not passed on: it may quote what was replayed. */
export type ReplayAnswer = readonly ClientReplay[] | 'failed';

const RETRY_AFTER_SECONDS = 5;

async function* tasksOf(
  job: ReplayJob,
  batches: AsyncIterable<readonly ReplayedContact[]>,
): AsyncGenerator<ReplayTask> {
  yield { kind: 'begin', job };
  for await (const contacts of batches) yield { kind: 'batch', contacts };
  yield { kind: 'end' };
}

/** Replays in one worker thread, one at a time, and one of each client: the thread ends with the replay. */
export function createReplayThreads(): ReplayRunner & { close(): Promise<void> } {
  const asking = new Set<string>();
  const pool = createWorkerPool<ReplayTask, ReplayAnswer>({
    workerUrl: new URL('./worker.ts', import.meta.url),
    threads: 1,
    jobsPerThread: 1,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    timeoutMs: 60_000,
    maxWaiting: 10,
  });
  const busy = (detail: string) => new AppError('unavailable', { detail, retryAfterSeconds: RETRY_AFTER_SECONDS });

  return {
    async run(job, contacts) {
      if (asking.has(job.clientId)) throw busy('Another replay of this account is running.');
      asking.add(job.clientId);
      try {
        const answer = await pool.run(tasksOf(job, contacts));
        if (answer === 'failed') throw new Error('The replay failed in its thread.');
        return answer;
      } catch (error) {
        const failure = error instanceof ThreadFailure && error.failure;
        if (failure === 'timed_out') throw busy('The replay took too long: choose a shorter period.');
        if (failure === 'full') throw busy('Other replays are running.');
        throw error;
      } finally {
        asking.delete(job.clientId);
      }
    },
    close: () => pool.close('abandon'),
  };
}
