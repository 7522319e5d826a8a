import { setTimeout as pause } from 'node:timers/promises';
import { activityInfo } from '@temporalio/activity';
import {
  type ActivityInterceptorsFactory,
  NativeConnection,
  Worker,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Activities } from '../../activities/contract.ts';
import { framesOf, toActivityFailure } from '../../activities/failures.ts';
import { BEAT_MS } from '../../activities/while-alive.ts';
import { connectionSettings, type TemporalTarget } from './connection.ts';
import { retryDelayMs } from './retry-delay.ts';
import { installSdkRuntime } from './sdk-runtime.ts';

export interface WorkerLimits {
  readonly maxConcurrentActivities: number;
  readonly maxConcurrentWorkflowTasks: number;
  readonly maxCachedWorkflows: number;
  /** How long an activity may continue after the worker was told to stop. */
  readonly shutdownGraceMs: number;
}

export interface WorkerOptions extends TemporalTarget {
  readonly taskQueue: string;
  readonly workerId: string;
  readonly bundle: WorkflowBundleOption;
  readonly activities: Activities;
  readonly limits: WorkerLimits;
  readonly logger: Logger;
}

export type WorkerState = 'connecting' | 'running' | 'stopping' | 'stopped' | 'failed';

export interface RunningWorker {
  state(): WorkerState;
  /** Resolves when the worker has stopped; rejects when the worker failed. */
  readonly finished: Promise<void>;
  /** Takes no more tasks, lets activities end, then closes the connection. */
  shutdown(): Promise<void>;
}

/** Returns at once; a worker that cannot reach Temporal keeps trying to connect. */
export function startWorker(options: WorkerOptions): RunningWorker {
  const { logger } = options;
  const stop = new AbortController();
  let worker: Worker | undefined;
  let state: WorkerState = 'connecting';

  async function run(): Promise<void> {
    await installSdkRuntime(logger);
    const connection = await connect(options, stop.signal);
    if (connection === undefined) return;
    try {
      worker = await createWorker(options, connection);
      const running = worker.run();
      // A worker cannot be stopped before it runs, so an earlier stop request takes effect here.
      if (stop.signal.aborted) worker.shutdown();
      else {
        state = 'running';
        logger.info({ taskQueue: options.taskQueue, worker: options.workerId }, 'the worker is running');
      }
      await running;
    } finally {
      await connection.close();
    }
  }

  const finished = run().then(
    () => {
      state = 'stopped';
    },
    (error: unknown) => {
      state = 'failed';
      throw error;
    },
  );
  // Callers still see a failure. Without this handler an early one would end the process before they await `finished`.
  finished.catch(() => undefined);

  return {
    finished,
    state: () => (state === 'running' && worker?.getState() !== 'RUNNING' ? 'stopping' : state),
    async shutdown() {
      if (!stop.signal.aborted) {
        stop.abort();
        if (worker?.getState() === 'RUNNING') worker.shutdown();
      }
      await finished;
    },
  };
}

/** Retries, because `NativeConnection.connect` fails at once when nothing listens. Undefined after a stop request. */
async function connect(options: WorkerOptions, stop: AbortSignal): Promise<NativeConnection | undefined> {
  for (let attempts = 1; !stop.aborted; attempts += 1) {
    try {
      return await NativeConnection.connect({ ...connectionSettings(options) });
    } catch (error) {
      const retryMs = Math.min(retryDelayMs(attempts, Math.random()), 5_000);
      const name = error instanceof Error ? error.name : 'UnknownError';
      options.logger.warn(
        { address: options.address, error: name, retryMs },
        'worker cannot reach Temporal and will try again',
      );
      await pause(retryMs, undefined, { signal: stop }).catch(() => undefined);
    }
  }
  return undefined;
}

function createWorker(options: WorkerOptions, connection: NativeConnection): Promise<Worker> {
  const { limits, logger } = options;
  return Worker.create({
    connection,
    namespace: options.namespace,
    taskQueue: options.taskQueue,
    identity: options.workerId,
    workflowBundle: options.bundle,
    activities: options.activities,
    maxConcurrentActivityTaskExecutions: limits.maxConcurrentActivities,
    maxConcurrentWorkflowTaskExecutions: limits.maxConcurrentWorkflowTasks,
    maxCachedWorkflows: limits.maxCachedWorkflows,
    shutdownGraceTime: limits.shutdownGraceMs,
    // Each heartbeat is sent at once. By default the SDK delays it until a fifth of its timeout is left, which is too
    // little in a busy process.
    maxHeartbeatThrottleInterval: BEAT_MS,
    shutdownForceTime: limits.shutdownGraceMs + 5_000,
    interceptors: { activity: [failuresInterceptor(logger)] },
  });
}

/** Converts the errors of all activities by one table, so that no error message gets into a workflow history. */
const failuresInterceptor =
  (logger: Logger): ActivityInterceptorsFactory =>
  () => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input);
        } catch (error) {
          const failure = toActivityFailure(error);
          const { activityType, attempt, workflowExecution } = activityInfo();
          const facts = {
            activity: activityType,
            attempt,
            workflowId: workflowExecution?.workflowId,
            failure: failure.message,
          };
          logger.warn({ ...facts, frames: framesOf(error).slice(0, 5) }, 'activity attempt failed');
          throw failure;
        }
      },
    },
  });
