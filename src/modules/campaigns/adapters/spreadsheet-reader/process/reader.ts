import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../../../../kernel/errors.ts';
import {
  SpreadsheetError,
  type SpreadsheetFile,
  type SpreadsheetReader,
  type Workbook,
} from '../../../ports/spreadsheet-reader.ts';
import type { SheetRow } from '../../../rules/spreadsheet/sheet-row.ts';
import { decodeBatch, FrameQueue, jsonFrame, type ReadAnswer } from './messages.ts';

type Start = () => void;

/**
 * Lets one piece of work run at a time. The clients that wait take turns, in the order in which each of them began to
 * wait, so that many pieces of one client delay another client by one piece only.
 */
function alternateClients() {
  const waiting = new Map<string, Start[]>();
  let busy = false;

  const startNext = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      busy = false;
      return;
    }
    const [clientId, [start, ...others]] = next;
    waiting.delete(clientId);
    // The client goes behind the others.
    if (others.length > 0) waiting.set(clientId, others);
    start!();
  };

  return async <T>(clientId: string, work: () => Promise<T>): Promise<T> => {
    if (busy) await new Promise<void>((start) => waiting.set(clientId, [...(waiting.get(clientId) ?? []), start]));
    busy = true;
    try {
      return await work();
    } finally {
      startNext();
    }
  };
}

/**
 * Returns the memory that a process occupies, or 0 where the system does not say it at once: only Linux does, where the
 * service runs in production.
 */
function residentMb(pid: number | undefined): number {
  if (pid === undefined || process.platform !== 'linux') return 0;
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    // The process has ended.
    return 0;
  }
}

export interface SpreadsheetReaderOptions {
  /** A file that takes longer is refused. A sheet of 50,000 rows takes about two seconds. */
  readonly timeoutMs?: number;
  /** The memory of the process as a whole, which is checked while it runs. */
  readonly memoryMb?: number;
  /** The part of it that JavaScript values may take. */
  readonly heapMb?: number;
  readonly program?: URL;
}

/** A busy machine stays below it: what a file may cost is bounded by the time below. */
const TIMEOUT_MS = 60_000;
/** The time that a process may compute, which a busy machine does not prolong. The kernel ends a process that takes more. */
const CPU_SECONDS = 20;
const MEMORY_MB = 640;
const HEAP_MB = 320;
const MEMORY_CHECK_MS = 50;
/** An answer has at most as many characters as an import may have bytes, and each may take several bytes. */
const MAX_ANSWER_BYTES = 96 * 1024 * 1024;

const tooLong = (takes: string) =>
  new SpreadsheetError('too_long', `Reading the file takes too ${takes}: send fewer rows, or a CSV`);
const unavailable = () => new AppError('unavailable', { detail: 'The file could not be read now. Send it again.' });

/** Starts the program without the environment of this process, so that it receives no secrets. */
function start(program: URL, heapMb: number): ChildProcess {
  const node = [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=16', fileURLToPath(program)];
  const options: SpawnOptions = { env: {}, stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true };
  if (process.platform === 'win32') return spawn(process.execPath, node, options);
  // The limit of the kernel also ends a process whose parent was killed.
  const limits = `ulimit -c 0; ulimit -t ${CPU_SECONDS}; exec "$0" "$@"`;
  return spawn('/bin/sh', ['-c', limits, process.execPath, ...node], options);
}

async function* parse(frames: FrameQueue): AsyncGenerator<SheetRow[]> {
  for (let batch = frames.next(); batch !== null; batch = frames.next()) {
    yield decodeBatch(batch);
    await yieldToEventLoop();
  }
}

function workbookOf(frames: FrameQueue): Workbook {
  const head = frames.next();
  if (head === null) throw unavailable();
  const answer = JSON.parse(head.toString('utf8')) as ReadAnswer;
  if (answer.kind === 'refused') throw new SpreadsheetError(answer.code, answer.message);
  return { sheets: answer.sheets, rows: parse(frames) };
}

/**
 * Reads files in a process of its own for each, one at a time, so that a large or hostile one takes neither the event
 * loop nor the memory of the service. A thread is not enough: the limits of a thread bound its heap, but not its buffers.
 */
export function createSpreadsheetReader(options: SpreadsheetReaderOptions = {}): SpreadsheetReader {
  const {
    timeoutMs = TIMEOUT_MS,
    memoryMb = MEMORY_MB,
    heapMb = HEAP_MB,
    program = new URL('./program.ts', import.meta.url),
  } = options;
  const whenNext = alternateClients();
  const running = new Set<ChildProcess>();
  let closed = false;

  async function readInProcess({ bytes, format, limits }: SpreadsheetFile): Promise<Workbook> {
    if (closed) throw unavailable();
    const child = start(program, heapMb);
    running.add(child);
    const { promise, resolve, reject } = Promise.withResolvers<Workbook>();
    const frames = new FrameQueue();
    child.stdout!.on('data', (chunk: Buffer) => {
      frames.push(chunk);
      if (frames.length > MAX_ANSWER_BYTES) reject(tooLong('much memory'));
    });
    // Closed means that the process has ended and that its whole answer has arrived.
    child.once('close', (code, signal) => {
      if (code === 0) resolve(promiseOf(() => workbookOf(frames)));
      else if (closed) reject(unavailable());
      else if (signal === 'SIGXCPU') reject(tooLong('long'));
      // V8 ends a process whose heap is full by a signal, and so does Linux when memory is short.
      else reject(signal === null ? unavailable() : tooLong('much memory'));
    });
    child.once('error', () => reject(unavailable()));
    // A process that ends early does not read the rest of the file.
    child.stdin!.on('error', () => undefined);
    const timer = setTimeout(() => reject(tooLong('long')), timeoutMs);
    const memory = setInterval(() => {
      if (residentMb(child.pid) > memoryMb) reject(tooLong('much memory'));
    }, MEMORY_CHECK_MS);
    for (const part of jsonFrame({ format, limits, length: bytes.length })) child.stdin!.write(part);
    child.stdin!.end(bytes);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      clearInterval(memory);
      await end(child);
      running.delete(child);
    }
  }

  return {
    read: (file) => whenNext(file.clientId, () => readInProcess(file)),
    async close() {
      closed = true;
      await Promise.all([...running].map(end));
    },
  };
}

/** Turns what a function throws into a rejection. */
const promiseOf = async <T>(run: () => T): Promise<T> => run();

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
