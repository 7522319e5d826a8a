import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { signalProcess } from './process-identity.ts';

/**
 * The child is a shell that becomes the server by `exec`, so its pid is the server's. Before that it starts a watchdog,
 * forked twice so that the server never sees it as its own child (PostgreSQL treats unknown children as crashed ones).
 * The watchdog reads a pipe. End of file means that this process has died for any reason, and the watchdog stops the
 * server. A line means that the server has ended: the watchdog ends too and sends no signal, because the pid may belong
 * to another process by then.
 */
const watchdog = (signal: string): string => `( ( read -r _ <&3 || kill -${signal} $$ ) & ); exec "$@" 3<&-`;

const LOG_LIMIT = 10 * 1024 * 1024;

export interface ChildPlan {
  command: string;
  args: readonly string[];
  /** The signal that stops the server at once, without waiting for its clients. */
  stopSignal: 'SIGINT' | 'SIGTERM';
  logFile: string;
  user?: { uid: number; gid: number };
}

export interface WatchedChild {
  pid: number;
  /** Resolves with a description of the end, never rejects. */
  exited: Promise<string>;
  hasExited(): boolean;
  stop(graceMs: number): Promise<void>;
  kill(): void;
}

const openLog = (file: string): number => {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return openSync(file, size > LOG_LIMIT ? 'w' : 'a', 0o600);
};

/** Returns the end of a server's log for the error message about a failed start. */
export const lastLogLines = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
  } catch {
    return '';
  }
};

/** The servers get no secrets of this service, and PG* or TEMPORAL_* variables must not change their behaviour. */
export const plainEnvironment = (): NodeJS.ProcessEnv => {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP'];
  return Object.fromEntries(kept.map((name) => [name, process.env[name]]));
};

const spawnChild = (plan: ChildPlan, output: number): ChildProcess => {
  // The child is detached because Ctrl-C reaches the whole process group, and the servers must run until draining ends.
  const options = { detached: true, env: plainEnvironment(), ...plan.user };
  if (process.platform === 'win32') {
    return spawn(plan.command, plan.args, { ...options, stdio: ['ignore', output, output] });
  }
  const script = watchdog(plan.stopSignal.replace('SIG', ''));
  return spawn('/bin/sh', ['-c', script, 'sh', plan.command, ...plan.args], {
    ...options,
    stdio: ['ignore', output, output, 'pipe'],
  });
};

export const startWatchedChild = (plan: ChildPlan): WatchedChild => {
  const output = openLog(plan.logFile);
  const child = spawnChild(plan, output);
  closeSync(output);
  const watchdogPipe = child.stdio[3] as Writable | null | undefined;
  // Errors of the pipe are ignored because the `exit` event reports the end of the child.
  watchdogPipe?.on('error', () => {});
  let ended = false;
  const exited = new Promise<string>((resolve) => {
    const end = (description: string) => {
      ended = true;
      watchdogPipe?.end('\n');
      resolve(description);
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => end(signal === null ? `exit code ${code}` : signal));
  });
  const pid = child.pid ?? 0;
  const send = (signal: NodeJS.Signals) => {
    if (!ended && pid > 0) signalProcess(pid, signal);
  };
  return {
    pid,
    exited,
    hasExited: () => ended,
    kill: () => send('SIGKILL'),
    stop: async (graceMs) => {
      send(plan.stopSignal);
      const timer = setTimeout(() => send('SIGKILL'), graceMs);
      await exited;
      clearTimeout(timer);
    },
  };
};
