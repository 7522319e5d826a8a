import { Worker } from 'node:worker_threads';
import { AppError } from '../../../../../kernel/errors.ts';
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
  /** The greatest number of mails that may wait for the thread; further ones are refused. */
  readonly maxWaiting?: number;
  readonly workerUrl?: URL;
}

/**
 * Reads mails one after the other in a thread, because a hostile mail of a megabyte takes up to a second. One thread is
 * enough: an ordinary mail takes a few milliseconds.
 */
export function createMailReader(options: MailReaderOptions = {}): MailReader {
  const { timeoutMs = 10_000, maxWaiting = 100, workerUrl = new URL('./worker.ts', import.meta.url) } = options;
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let closed = false;

  function start(): Worker {
    // The thread needs no environment, so it receives no secrets.
    const started = new Worker(workerUrl, {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
    });
    // An idle thread must not keep the process alive.
    started.unref();
    const forget = () => {
      if (worker === started) worker = undefined;
    };
    started.once('error', forget).once('exit', forget);
    return started;
  }

  function readNow(raw: Uint8Array): Promise<MailFacts | null> {
    worker ??= start();
    const thread = worker;
    const { promise, resolve, reject } = Promise.withResolvers<MailFacts | null>();
    const fail = () => reject(new AppError('unavailable', { detail: 'The mail could not be read now.' }));
    const answer = ({ facts }: ReadAnswer) => resolve(facts);
    const timer = setTimeout(() => {
      fail();
      worker = undefined;
      void thread.terminate();
    }, timeoutMs);
    thread.ref();
    thread.once('message', answer).once('error', fail).once('exit', fail);
    thread.postMessage({ raw } satisfies ReadRequest);
    return promise.finally(() => {
      clearTimeout(timer);
      thread.off('message', answer).off('error', fail).off('exit', fail);
      thread.unref();
    });
  }

  return {
    read(raw) {
      if (closed || waiting >= maxWaiting) {
        return Promise.reject(
          new AppError('unavailable', { detail: 'Too many mails are waiting.', retryAfterSeconds: 5 }),
        );
      }
      waiting += 1;
      const result = last
        .then(() => readNow(raw))
        .finally(() => {
          waiting -= 1;
        });
      last = result.catch(() => undefined);
      return result;
    },
    async close() {
      closed = true;
      await last;
      await worker?.terminate();
    },
  };
}
