import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { MOST_UNDERSTOOD } from '../../../domain/understood-text.ts';
import { type Conversation, NotUnderstoodError, type Understanding } from '../../../ports/collection-agent.ts';
import { handConversation } from './handed-conversation.ts';
import type { Task } from './messages.ts';
import { type Outcome, ReadingThread } from './reading-thread.ts';

export interface UnderstandingThreadsOptions {
  readonly threads?: number;
  /** From the moment a thread that is ready gets the message; then the thread is ended and another takes its place. */
  readonly deadlineMs?: number;
  readonly workerUrl?: URL;
  /** For the log: why a message was not understood, never what it says. */
  readonly onFailure?: (failure: NotUnderstoodError['failure']) => void;
}

export interface UnderstandingThreads {
  understand(message: string, conversation: Conversation): Promise<Understanding>;
  /** Starts a thread, where nobody should wait for it later. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

interface Job {
  readonly task: Task;
  readonly resolve: (outcome: Outcome | { readonly kind: 'closed' }) => void;
}

/** A second one, 50 MB, so that a message that takes its whole second does not hold up all others. */
const MOST_THREADS = 2;
const CLOSE_MS = 5_000;

/** What a debtor wrote is read in threads of its own: whatever it is, it cannot keep the process from its other work. */
export function createUnderstandingThreads(options: UnderstandingThreadsOptions = {}): UnderstandingThreads {
  const {
    threads = Math.min(MOST_THREADS, availableParallelism()),
    deadlineMs = 1_000,
    workerUrl = new URL('./worker.ts', import.meta.url),
    onFailure = () => undefined,
  } = options;
  const all = new Set<ReadingThread>();
  const idle: ReadingThread[] = [];
  const ending = new Set<Promise<void>>();
  /** As many as activities may run at once. */
  const waiting: Job[] = [];
  let closed = false;

  /** The first at the first message: a process that only serves requests understands nothing. More while messages wait. */
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

  /** It is not started again and again: the next message tries anew. */
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
    job.resolve(closed && outcome.kind !== 'understood' ? { kind: 'closed' } : outcome);
    if (outcome.kind === 'understood') {
      offer(thread);
      return;
    }
    // What a thread threw may have left it in any state. Another takes its place now, however long it takes to end.
    replace(thread);
    const end = thread.end();
    ending.add(end);
    await end;
    ending.delete(end);
  }

  async function understand(message: string, conversation: Conversation): Promise<Understanding> {
    const failed = (failure: NotUnderstoodError['failure']): NotUnderstoodError => {
      onFailure(failure);
      return new NotUnderstoodError(failure);
    };
    if (message.length > MOST_UNDERSTOOD) throw failed('too_long');
    const task: Task = { message, conversation: handConversation(conversation) };
    const outcome = await new Promise<Parameters<Job['resolve']>[0]>((resolve) => {
      const job: Job = { task, resolve };
      const thread = idle.pop();
      if (closed) resolve({ kind: 'closed' });
      else if (thread !== undefined) void give(thread, job);
      else waiting.push(job);
      startThread();
    });
    if (outcome.kind === 'understood') return outcome.understanding;
    // Not the message's fault: it is tried again when the service runs again.
    if (outcome.kind === 'closed') throw new Error('messages are not understood any more: the process ends');
    throw failed(outcome.kind);
  }

  return {
    understand,
    warmUp: async () => {
      startThread();
      await Promise.all([...all].map(({ ready }) => ready));
    },
    close: async () => {
      closed = true;
      for (const job of waiting.splice(0)) job.resolve({ kind: 'closed' });
      const ends = Promise.all([...ending, ...[...all].map((thread) => thread.end())]);
      // V8 interrupts an expression at once, and not every loop: the process ends all the same.
      await Promise.race([ends, sleep(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
