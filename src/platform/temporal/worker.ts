import { setTimeout as pause } from 'node:timers/promises';
import { activityInfo } from '@temporalio/activity';
import {
  type ActivityInterceptorsFactory,
  NativeConnection,
  Worker,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Activities } from '../../../activities/contract.ts';
import { framesOf, toActivityFailure } from '../../../activities/failures.ts';
import { answersQueueOf, webhooksQueueOf } from '../../../workflows/ids.ts';
import { connectionSettings, type TemporalTarget } from './connection.ts';
import { retryDelayMs } from './retry-delay.ts';
import { installSdkRuntime } from './sdk-runtime.ts';

export interface WorkerLimits {
  readonly maxConcurrentActivities: number;
  /** The activities of the queue for answers and settlements. */
  readonly maxConcurrentAnswers: number;
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
  let workers: readonly Worker[] = [];
  let state: WorkerState = 'connecting';

  const stopWorkers = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };

  /** One of them alone is of no use, so they end together. */
  async function runAll(): Promise<void> {
    const running = workers.map((worker) => worker.run().finally(stopWorkers));
    // A worker cannot be stopped before it runs, so an earlier stop request takes effect here.
    if (stop.signal.aborted) stopWorkers();
    else {
      state = 'running';
      logger.info({ taskQueue: options.taskQueue, worker: options.workerId }, 'the worker is running');
    }
    const failed = (await Promise.allSettled(running)).find((ended) => ended.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async function run(): Promise<void> {
    await installSdkRuntime(logger);
    const connection = await connect(options, stop.signal);
    if (connection === undefined) return;
    try {
      workers = await createWorkers(options, connection);
      await runAll();
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

  const allRun = () => workers.every((worker) => worker.getState() === 'RUNNING');
  return {
    finished,
    state: () => (state === 'running' && !allRun() ? 'stopping' : state),
    async shutdown() {
      if (!stop.signal.aborted) {
        stop.abort();
        stopWorkers();
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

/**
 * How many webhooks a process posts to at the same time. Each has several posts under way, and a receiver may let each of
 * them wait for 15 seconds.
 */
const WEBHOOKS_AT_ONCE = 20;

/** Creates the worker for workflows and most activities, the one for answers and settlements, and that for webhooks. */
async function createWorkers(options: WorkerOptions, connection: NativeConnection): Promise<Worker[]> {
  const { limits, logger, taskQueue } = options;
  const both = {
    connection,
    namespace: options.namespace,
    identity: options.workerId,
    activities: options.activities,
    shutdownGraceTime: limits.shutdownGraceMs,
    // Each heartbeat is sent at once, also one that announces a contact soon after another. By default the SDK delays it
    // until a fifth of its timeout is left, which is too little in a busy process.
    maxHeartbeatThrottleInterval: 1_000,
    shutdownForceTime: limits.shutdownGraceMs + 5_000,
    interceptors: { activity: [failuresInterceptor(logger)] },
  };
  return [
    await Worker.create({
      ...both,
      taskQueue,
      workflowBundle: options.bundle,
      maxConcurrentActivityTaskExecutions: limits.maxConcurrentActivities,
      maxConcurrentWorkflowTaskExecutions: limits.maxConcurrentWorkflowTasks,
      maxCachedWorkflows: limits.maxCachedWorkflows,
    }),
    await Worker.create({
      ...both,
      taskQueue: answersQueueOf(taskQueue),
      maxConcurrentActivityTaskExecutions: limits.maxConcurrentAnswers,
    }),
    await Worker.create({
      ...both,
      taskQueue: webhooksQueueOf(taskQueue),
      maxConcurrentActivityTaskExecutions: WEBHOOKS_AT_ONCE,
      maxConcurrentActivityTaskPolls: 2,
    }),
  ];
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
