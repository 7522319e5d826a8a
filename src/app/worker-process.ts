import { fileURLToPath } from 'node:url';
import { type ChildProgram, startChildProgram } from '../platform/runtime/child-process.ts';
import type { ProcessMetrics } from '../platform/runtime/metrics.ts';
import { supervise } from '../platform/runtime/supervisor.ts';

const ENTRY = fileURLToPath(new URL('./worker-main.ts', import.meta.url));
/** A first start compiles the workflows. */
const READY_WITHIN_MS = 120_000;
/** Longer than the worker's own deadline for activities that have begun. */
const STOP_GRACE_MS = 60_000;

export interface WorkerProcess {
  /** Fails while the process is started again. */
  metrics(): Promise<ProcessMetrics>;
  stop(): Promise<void>;
}

/**
 * Runs the worker of `npm start` in a process of its own, so that a busy worker does not delay the API and both use a
 * core each. It is supervised like the servers. The folder is an argument only so that operators see it in a list of
 * processes.
 */
export async function startWorkerProcess(dataDir: string, log: (line: string) => void): Promise<WorkerProcess> {
  let current: ChildProgram | undefined;
  const supervised = await supervise({
    name: 'The worker',
    launch: async () => {
      current = await startChildProgram({ file: ENTRY, args: [dataDir], readyWithinMs: READY_WITHIN_MS });
      return current;
    },
    stopGraceMs: STOP_GRACE_MS,
    log,
  });
  return {
    metrics: async () => {
      if (current === undefined) throw new Error('The worker has not started yet');
      return current.metrics();
    },
    stop: supervised.stop,
  };
}
