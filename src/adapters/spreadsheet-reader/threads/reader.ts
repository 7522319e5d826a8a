import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Semaphore } from 'async-mutex';
import { AppError } from '../../../domain/errors.ts';
import {
  type SheetRow,
  SpreadsheetError,
  type SpreadsheetReader,
  type Workbook,
} from '../../../ports/spreadsheet-reader.ts';
import { decodeBatch, type ReadAnswer, type ReadRequest } from './messages.ts';

export interface SpreadsheetReaderOptions {
  /** A file that takes longer is refused. A sheet of 50,000 rows takes about a second. */
  readonly timeoutMs?: number;
  /** The memory of a thread, without the bytes of the file. */
  readonly heapMb?: number;
  /** The number of files that are read at the same time; the others wait. */
  readonly threads?: number;
  readonly workerUrl?: URL;
}

/** A heavy import on a slow machine stays far below it. */
const TIMEOUT_MS = 30_000;
/** A sheet of 50,000 rows and 12 columns fits into 64 MB. */
const HEAP_MB = 384;
/** As many as there are imports at once. */
const THREADS = 2;

async function* parse(batches: readonly Uint8Array[]): AsyncGenerator<SheetRow[]> {
  for (const batch of batches) {
    yield decodeBatch(batch);
    await yieldToEventLoop();
  }
}

/**
 * Reads workbooks in worker threads, so that a large or hostile one takes neither the event loop nor the memory of the
 * process. Each file has a thread of its own, because its memory is free again at once when the thread ends.
 */
export function createSpreadsheetReader(options: SpreadsheetReaderOptions = {}): SpreadsheetReader {
  const {
    timeoutMs = TIMEOUT_MS,
    heapMb = HEAP_MB,
    threads = THREADS,
    workerUrl = new URL('./worker.ts', import.meta.url),
  } = options;
  const places = new Semaphore(threads);
  const running = new Set<Worker>();
  let closed = false;
  const unavailable = () => new AppError('unavailable', { detail: 'The file could not be read now. Send it again.' });

  async function readInThread(request: ReadRequest): Promise<Workbook> {
    if (closed) throw unavailable();
    const { promise, resolve, reject } = Promise.withResolvers<Workbook>();
    // The thread needs no environment, so it receives no secrets.
    const worker = new Worker(workerUrl, {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 64 },
    });
    running.add(worker);
    const timer = setTimeout(
      () => reject(new SpreadsheetError('too_long', 'Reading the file takes too long: send fewer rows, or a CSV')),
      timeoutMs,
    );
    worker.once('message', (answer: ReadAnswer) => {
      if (answer.kind === 'read') resolve({ sheets: answer.sheets, rows: parse(answer.batches) });
      else reject(new SpreadsheetError(answer.code, answer.message));
    });
    worker.once('error', (error: Error & { code?: string }) => {
      const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      const message = 'Reading the file takes too much memory: send fewer rows, or a CSV';
      reject(outOfMemory ? new SpreadsheetError('too_long', message) : unavailable());
    });
    worker.once('exit', () => reject(unavailable()));
    worker.postMessage(request);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      await worker.terminate();
      running.delete(worker);
    }
  }

  return {
    read: (bytes, choice) => places.runExclusive(() => readInThread({ bytes, choice })),
    async close() {
      closed = true;
      await Promise.all([...running].map((worker) => worker.terminate()));
    },
  };
}
