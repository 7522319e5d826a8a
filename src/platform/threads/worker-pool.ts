import { setTimeout as sleep } from 'node:timers/promises';
import { type ResourceLimits, Worker } from 'node:worker_threads';

/** Says why a job got no answer. It never repeats the exception of the thread, which may quote the job. */
export class ThreadFailure extends Error {
  readonly failure: 'crashed' | 'timed_out' | 'full' | 'closed';

  constructor(failure: ThreadFailure['failure'], cause?: unknown) {
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    super(`the job of a thread got no answer: ${failure}${code}`);
    this.name = 'ThreadFailure';
    this.failure = failure;
  }
}

interface WorkerPoolOptions<Answer> {
  readonly workerUrl: URL;
  readonly threads: number;
  readonly resourceLimits: ResourceLimits;
  /** The time from when a thread gets a job. After it the thread is ended. */
  readonly timeoutMs: number;
  /** The most jobs that may wait for a thread; further ones are refused. */
  readonly maxWaiting?: number;
  /** How many threads a job may crash before it counts as the cause: the machine may be one (memory). */
  readonly attempts?: number;
  /** A thread ends after so many jobs, and the next one starts only when the memory of this one is free. */
  readonly jobsPerThread?: number;
  /** The first message of a thread says that it is ready, and no job loses time to its start. Then one always stays. */
  readonly announces?: boolean;
  /** After such an answer the thread is replaced. */
  readonly endsThread?: (answer: Answer) => boolean;
}

type Messages<Message> = Iterable<Message> | AsyncIterable<Message>;

export interface WorkerPool<Message, Answer> {
  /**
   * Sends the messages to one thread, which answers once. They are read again when a further attempt follows. Rejects
   * with `ThreadFailure`, with what reading or sending a message has thrown, or with the reason of the signal.
   */
  run(messages: Messages<Message>, signal?: AbortSignal): Promise<Answer>;
  /** Starts a thread now, so that the first job does not wait for it. */
  warmUp(): Promise<void>;
  /** Accepts no more jobs, and finishes or abandons the accepted ones. */
  close(accepted: 'finish' | 'abandon'): Promise<void>;
}

const CLOSE_MS = 5_000;

/** Gives jobs to worker threads, which start when they are first needed and have one job at a time. */
export function createWorkerPool<Message, Answer>(options: WorkerPoolOptions<Answer>): WorkerPool<Message, Answer> {
  interface Job extends PromiseWithResolvers<Answer> {
    readonly messages: Messages<Message>;
    crashes: number;
  }
  interface Thread {
    readonly worker: Worker;
    readonly started: PromiseWithResolvers<void>;
    state: 'starting' | 'idle' | 'busy' | 'ending';
    jobs: number;
    job?: Job | undefined;
    timer?: NodeJS.Timeout;
  }
  const { workerUrl, resourceLimits, maxWaiting = Infinity, attempts = 1, jobsPerThread = Infinity } = options;
  /** Those that count against the limit. */
  const threads = new Set<Thread>();
  const ends = new Set<Promise<void>>();
  const waiting: Job[] = [];
  let closed = false;

  function start(): void {
    // A thread needs no environment, so it gets none: the environment contains secrets.
    const worker = new Worker(workerUrl, { env: {}, resourceLimits });
    const state = options.announces ? 'starting' : 'idle';
    const thread: Thread = { worker, started: Promise.withResolvers(), state, jobs: 0 };
    threads.add(thread);
    worker.on('message', (message: Answer) => {
      if (thread.state === 'ending') return;
      const job = release(thread);
      job?.resolve(message);
      if (job !== undefined) thread.jobs += 1;
      if (thread.jobs >= jobsPerThread || (job !== undefined && options.endsThread?.(message))) end(thread);
      else proceed();
    });
    worker.on('error', (error) => abandon(thread, new ThreadFailure('crashed', error)));
    worker.once('exit', () => abandon(thread, new ThreadFailure('crashed')));
  }

  function proceed(): void {
    while (waiting.length > 0) {
      const idle = [...threads].find(({ state }) => state === 'idle');
      const starting = [...threads].filter(({ state }) => state === 'starting').length;
      if (idle !== undefined) void give(idle, waiting.shift()!);
      else if (threads.size < options.threads && starting < waiting.length) start();
      else return;
    }
  }

  async function give(thread: Thread, job: Job): Promise<void> {
    thread.state = 'busy';
    thread.job = job;
    thread.timer = setTimeout(() => abandon(thread, new ThreadFailure('timed_out')), options.timeoutMs);
    thread.worker.ref();
    try {
      for await (const message of job.messages) {
        if (thread.job !== job) return;
        thread.worker.postMessage(message);
      }
    } catch (error) {
      if (thread.job === job) abandon(thread, error);
    }
  }

  function release(thread: Thread): Job | undefined {
    const { job, timer } = thread;
    clearTimeout(timer);
    thread.state = 'idle';
    thread.job = undefined;
    thread.started.resolve();
    // An idle thread must not keep the process alive.
    thread.worker.unref();
    return job;
  }

  function abandon(thread: Thread, error: unknown): void {
    if (thread.state === 'ending') return;
    const hasStarted = thread.state !== 'starting';
    const job = release(thread);
    if (job !== undefined) {
      job.crashes += error instanceof ThreadFailure && error.failure === 'crashed' ? 1 : attempts;
      if (job.crashes < attempts) waiting.unshift(job);
      else job.reject(error);
    }
    end(thread, hasStarted);
    // Another thread would probably fail to start in the same way. The next job tries again.
    if (threads.size === 0 && !hasStarted) for (const each of waiting.splice(0)) each.reject(error);
  }

  function end(thread: Thread, isReplaced = true): void {
    thread.state = 'ending';
    const leave = (): void => {
      threads.delete(thread);
      if (isReplaced && options.announces && threads.size === 0 && !closed) start();
      if (isReplaced) proceed();
    };
    // V8 does not interrupt every loop at once, so the others wait for the end only where memory demands it.
    const waits = isReplaced && jobsPerThread < Infinity;
    if (!waits) leave();
    const ended = thread.worker.terminate().then(() => {
      ends.delete(ended);
      if (waits) leave();
    });
    ends.add(ended);
  }

  return {
    async run(messages, signal) {
      signal?.throwIfAborted();
      if (closed) throw new ThreadFailure('closed');
      const job: Job = { messages, crashes: 0, ...Promise.withResolvers<Answer>() };
      waiting.push(job);
      proceed();
      if (waiting.length > maxWaiting) waiting.pop()!.reject(new ThreadFailure('full'));
      const abort = (): void => {
        if (waiting.includes(job)) waiting.splice(waiting.indexOf(job), 1);
        job.reject(signal!.reason);
        for (const thread of threads) if (thread.job === job) abandon(thread, signal!.reason);
      };
      signal?.addEventListener('abort', abort);
      return job.promise.finally(() => signal?.removeEventListener('abort', abort));
    },
    async warmUp() {
      if (threads.size === 0 && !closed) start();
      await Promise.all([...threads].map(({ started }) => started.promise));
    },
    async close(accepted) {
      closed = true;
      const jobs = [...waiting, ...[...threads].flatMap(({ job }) => job ?? [])];
      if (accepted === 'finish') await Promise.allSettled(jobs.map(({ promise }) => promise));
      const failure = new ThreadFailure('closed');
      for (const job of waiting.splice(0)) job.reject(failure);
      for (const thread of threads) abandon(thread, failure);
      // The process ends in either case.
      await Promise.race([Promise.all(ends), sleep(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
