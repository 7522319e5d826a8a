import { type ChildProcess, spawn } from 'node:child_process';
import type { ProcessMetrics } from './metrics.ts';
import type { WatchedChild } from './watched-child.ts';

/** The messages between a process of this program and the second one that it starts. */
export type ChildMessage = 'ready' | 'stop' | 'metrics?' | { readonly metrics: ProcessMetrics };

export interface ChildProgram extends WatchedChild {
  metrics(): Promise<ProcessMetrics>;
}

export interface ChildProgramPlan {
  readonly file: string;
  readonly args: readonly string[];
  readonly readyWithinMs: number;
}

const METRICS_WITHIN_MS = 1_000;

/**
 * Starts a second process of this program and resolves when it says that it is ready. The channel between the two
 * processes closes when one of them dies, so that none outlives the other. The process is detached because Ctrl-C
 * reaches the whole process group, and it must continue until it is asked to stop.
 */
export async function startChildProgram({ file, args, readyWithinMs }: ChildProgramPlan): Promise<ChildProgram> {
  const child = spawn(process.execPath, [...process.execArgv, file, ...args], {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let ended = false;
  const exited = new Promise<string>((resolve) => {
    const end = (description: string): void => {
      ended = true;
      resolve(description);
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => end(signal === null ? `exit code ${code}` : signal));
  });
  const program: ChildProgram = {
    pid: child.pid ?? 0,
    exited,
    hasExited: () => ended,
    kill: () => void child.kill('SIGKILL'),
    stop: async (graceMs) => {
      tell(child, 'stop');
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await exited;
      clearTimeout(timer);
    },
    metrics: async () => {
      const answer = answerOf(child, (message) => typeof message === 'object', METRICS_WITHIN_MS);
      tell(child, 'metrics?');
      const message = await answer;
      if (typeof message !== 'object') throw new Error('The process has not answered with its metrics');
      return message.metrics;
    },
  };
  try {
    const ready = answerOf(child, (message) => message === 'ready', readyWithinMs);
    await Promise.race([ready, exited.then((reason) => Promise.reject(new Error(reason)))]);
    return program;
  } catch (error) {
    program.kill();
    throw error;
  }
}

/** A process that has just died gets no message any more; its `exit` event reports that. */
function tell(child: ChildProcess, message: ChildMessage): void {
  if (child.connected) child.send(message, () => {});
}

function answerOf(
  child: ChildProcess,
  isAnswer: (message: ChildMessage) => boolean,
  withinMs: number,
): Promise<ChildMessage> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      child.off('message', listen);
      settle();
    };
    const listen = (message: unknown): void => {
      if (isAnswer(message as ChildMessage)) finish(() => resolve(message as ChildMessage));
    };
    const timer = setTimeout(() => finish(() => reject(new Error(`no answer within ${withinMs} ms`))), withinMs);
    child.on('message', listen);
  });
}

export interface Parent {
  /** Reports to the parent that this process serves. */
  ready(): void;
}

/**
 * Connects the started process to its parent. The process stops when the parent asks for it, and ends at once when the
 * parent has died, because no other process would stop it.
 */
export function connectToParent(metrics: () => Promise<ProcessMetrics | undefined>, stop: () => void): Parent {
  const send = (message: ChildMessage): void => void process.send?.(message, undefined, undefined, () => {});
  process.on('disconnect', () => process.exit(1));
  process.on('message', (message) => {
    if (message === 'stop') stop();
    if (message !== 'metrics?') return;
    // Without an answer the parent serves its own metrics alone.
    metrics().then(
      (own) => own !== undefined && send({ metrics: own }),
      () => {},
    );
  });
  return { ready: () => send('ready') };
}
