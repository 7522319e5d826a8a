import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { MAX_UNDERSTOOD } from '../../../../kernel/understood-text.ts';
import {
  type AutomaticWords,
  type Conversation,
  NotUnderstoodError,
  type Understanding,
} from '../../../messaging/ports/collection-agent.ts';
import { handConversation } from './handed-conversation.ts';
import type { Answer, Result, Task } from './messages.ts';

type Outcome = Result | { readonly kind: 'crashed' } | { readonly kind: 'timed_out' };

/** One worker thread, which reads one message at a time once it is ready. After `timed_out` it cannot be used again. */
class ReadingThread {
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

export interface UnderstandingThreadsOptions {
  readonly threads?: number;
  /** The time from when a ready thread gets the message. After it the thread is ended and another one replaces it. */
  readonly deadlineMs?: number;
  readonly workerUrl?: URL;
  /** Tells the log why a message was not understood, and never what it says. */
  readonly onFailure?: (failure: NotUnderstoodError['failure']) => void;
}

export interface UnderstandingThreads {
  understand(message: string, conversation: Conversation): Promise<Understanding>;
  automaticWords(message: string): Promise<AutomaticWords>;
  /** Starts a thread now, so that the first message does not wait for it. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

interface Job {
  readonly task: Task;
  readonly resolve: (outcome: Outcome | { readonly kind: 'closed' }) => void;
}

const isResult = (outcome: { readonly kind: string }): outcome is Result =>
  outcome.kind === 'understood' || outcome.kind === 'automatic_words';

/** Two, so that a message that takes its whole second does not delay all others. A thread takes 50 MB. */
const MAX_THREADS = 2;
const CLOSE_MS = 5_000;

/** Reads the messages of debtors in worker threads, so that no message can keep the process from its other work. */
export function createUnderstandingThreads(options: UnderstandingThreadsOptions = {}): UnderstandingThreads {
  const {
    threads = Math.min(MAX_THREADS, availableParallelism()),
    deadlineMs = 1_000,
    workerUrl = new URL('./worker.ts', import.meta.url),
    onFailure = () => undefined,
  } = options;
  const all = new Set<ReadingThread>();
  const idle: ReadingThread[] = [];
  const ending = new Set<Promise<void>>();
  /** Never longer than the number of activities that may run at once. */
  const waiting: Job[] = [];
  let closed = false;

  /**
   * Starts the first thread at the first message, because a process that only serves requests reads none, and another
   * one
   * while messages wait.
   */
  function startThread(): void {
    if (closed || all.size >= threads || (all.size > 0 && waiting.length === 0)) return;
    const thread = new ReadingThread(workerUrl);
    all.add(thread);
    void thread.ready.then((isReady) => {
      if (isReady) offer(thread);
      else notStarted(thread);
    });
    void thread.ended.then(() => replace(thread));
  }

  /** Starts no replacement at once, because it would probably fail in the same way. The next message tries again. */
  function notStarted(thread: ReadingThread): void {
    all.delete(thread);
    if (all.size === 0) for (const job of waiting.splice(0)) job.resolve({ kind: 'crashed' });
  }

  function replace(thread: ReadingThread): void {
    if (!all.delete(thread)) return;
    const place = idle.indexOf(thread);
    if (place >= 0) idle.splice(place, 1);
    startThread();
  }

  function offer(thread: ReadingThread): void {
    const job = waiting.shift();
    if (job === undefined) idle.push(thread);
    else void give(thread, job);
  }

  async function give(thread: ReadingThread, job: Job): Promise<void> {
    const outcome = await thread.read(job.task, deadlineMs);
    job.resolve(closed && !isResult(outcome) ? { kind: 'closed' } : outcome);
    if (isResult(outcome)) {
      offer(thread);
      return;
    }
    // An exception may have left the thread in any state. Another one replaces it now, even if it takes long to end.
    replace(thread);
    const end = thread.end();
    ending.add(end);
    await end;
    ending.delete(end);
  }

  async function perform(task: Task): Promise<Result> {
    const failed = (failure: NotUnderstoodError['failure']): NotUnderstoodError => {
      onFailure(failure);
      return new NotUnderstoodError(failure);
    };
    if (task.message.length > MAX_UNDERSTOOD) throw failed('too_long');
    const outcome = await new Promise<Parameters<Job['resolve']>[0]>((resolve) => {
      const job: Job = { task, resolve };
      const thread = idle.pop();
      if (closed) resolve({ kind: 'closed' });
      else if (thread !== undefined) void give(thread, job);
      else waiting.push(job);
      startThread();
    });
    if (isResult(outcome)) return outcome;
    // The cause is not the message, so it is tried again when the service runs again.
    if (outcome.kind === 'closed') throw new Error('messages are not understood any more: the process ends');
    throw failed(outcome.kind);
  }

  return {
    understand: async (message, conversation) => {
      const result = await perform({ kind: 'understand', message, conversation: handConversation(conversation) });
      if (result.kind !== 'understood') throw new Error('The thread has answered another task.');
      return result.understanding;
    },
    automaticWords: async (message) => {
      const result = await perform({ kind: 'automatic_words', message });
      if (result.kind !== 'automatic_words') throw new Error('The thread has answered another task.');
      return result.words;
    },
    warmUp: async () => {
      startThread();
      await Promise.all([...all].map(({ ready }) => ready));
    },
    close: async () => {
      closed = true;
      for (const job of waiting.splice(0)) job.resolve({ kind: 'closed' });
      const ends = Promise.all([...ending, ...[...all].map((thread) => thread.end())]);
      // V8 interrupts an expression at once but not every loop. The process ends in either case.
      await Promise.race([ends, sleep(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
