import { availableParallelism } from 'node:os';
import { MAX_UNDERSTOOD } from '../../../../kernel/understood-text.ts';
import { createWorkerPool, ThreadFailure } from '../../../../platform/threads/worker-pool.ts';
import {
  type AutomaticWords,
  type Conversation,
  NotUnderstoodError,
  type Understanding,
} from '../../../messaging/ports/collection-agent.ts';
import { handConversation } from './handed-conversation.ts';
import type { Answer, Task } from './messages.ts';

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

/** Two, so that a message that takes its whole second does not delay all others. A thread takes 50 MB. */
const MAX_THREADS = 2;

/**
 * Reads the messages of debtors in worker threads, so that no message can keep the process from its other work. No more
 * messages wait than activities may run at once.
 */
export function createUnderstandingThreads(options: UnderstandingThreadsOptions = {}): UnderstandingThreads {
  const { onFailure = () => undefined } = options;
  const pool = createWorkerPool<Task, Answer>({
    workerUrl: options.workerUrl ?? new URL('./worker.ts', import.meta.url),
    threads: options.threads ?? Math.min(MAX_THREADS, availableParallelism()),
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
    timeoutMs: options.deadlineMs ?? 1_000,
    announces: true,
    // An exception may have left the thread in any state.
    endsThread: ({ kind }) => kind === 'failed',
  });

  const failed = (failure: NotUnderstoodError['failure']): NotUnderstoodError => {
    onFailure(failure);
    return new NotUnderstoodError(failure);
  };

  async function perform(task: Task): Promise<Answer> {
    if (task.message.length > MAX_UNDERSTOOD) throw failed('too_long');
    const answer = await pool.run([task]).catch((error: unknown) => {
      const failure = error instanceof ThreadFailure && error.failure;
      // What else fails has another cause than the message, so it is tried again when the service runs again.
      throw failure === 'timed_out' || failure === 'crashed' ? failed(failure) : error;
    });
    if (answer.kind === 'failed') throw failed('crashed');
    return answer;
  }

  return {
    understand: async (message, conversation) => {
      const answer = await perform({ kind: 'understand', message, conversation: handConversation(conversation) });
      if (answer.kind !== 'understood') throw new Error('The thread has answered another task.');
      return answer.understanding;
    },
    automaticWords: async (message) => {
      const answer = await perform({ kind: 'automatic_words', message });
      if (answer.kind !== 'automatic_words') throw new Error('The thread has answered another task.');
      return answer.words;
    },
    warmUp: () => pool.warmUp(),
    close: () => pool.close('abandon'),
  };
}
