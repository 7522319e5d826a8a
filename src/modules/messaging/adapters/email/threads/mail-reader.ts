import { AppError } from '../../../../../kernel/errors.ts';
import { createWorkerPool, ThreadFailure } from '../../../../../platform/threads/worker-pool.ts';
import type { MailFacts } from '../mail-facts.ts';
import type { ReadAnswer, ReadRequest } from './messages.ts';

export interface MailReader {
  /** Returns null for a mail that cannot be read. Throws `unavailable` when the caller should send it again. */
  read(raw: Uint8Array): Promise<MailFacts | null>;
  close(): Promise<void>;
}

export interface MailReaderOptions {
  /** A mail that takes longer is abandoned, and the thread is replaced. */
  readonly timeoutMs?: number;
  /** The greatest number of mails that may be read or wait for it; further ones are refused. */
  readonly maxWaiting?: number;
  readonly workerUrl?: URL;
}

/**
 * Reads mails one after the other in a thread, because a hostile mail of a megabyte takes up to a second. One thread is
 * enough: an ordinary mail takes a few milliseconds.
 */
export function createMailReader(options: MailReaderOptions = {}): MailReader {
  const pool = createWorkerPool<ReadRequest, ReadAnswer>({
    workerUrl: options.workerUrl ?? new URL('./worker.ts', import.meta.url),
    threads: 1,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
    timeoutMs: options.timeoutMs ?? 10_000,
    maxWaiting: (options.maxWaiting ?? 100) - 1,
  });
  return {
    async read(raw) {
      try {
        return (await pool.run([{ raw }])).facts;
      } catch (error) {
        if (error instanceof ThreadFailure && (error.failure === 'full' || error.failure === 'closed'))
          throw new AppError('unavailable', { detail: 'Too many mails are waiting.', retryAfterSeconds: 5 });
        throw new AppError('unavailable', { detail: 'The mail could not be read now.' });
      }
    },
    close: () => pool.close('finish'),
  };
}
