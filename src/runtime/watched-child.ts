import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { signalProcess } from './process-identity.ts';

/**
 * The child is a shell that becomes the server by `exec`, so its pid is the server's. Before that it leaves a watcher behind,
 * forked twice so that the server never sees it as a child of its own (PostgreSQL reaps unknown children as crashed ones).
 * The watcher reads a pipe: end of file means that we died, however it happened, and it stops the server; a line means that
 * the server is gone and the watcher should go too, without signalling a pid that may belong to somebody else by now.
 */
const watchdog = (signal: string): string => `( ( read -r _ <&3 || kill -${signal} $$ ) & ); exec "$@" 3<&-`;

const LOG_LIMIT = 10 * 1024 * 1024;

export interface ChildPlan {
  command: string;
  args: readonly string[];
  /** Asks the server to stop at once, without waiting for its clients. */
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

/** The end of a server's log, for the message that says why it does not start. */
export const lastLogLines = (file: string, count = 5): string => {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return '';
  }
};

/** Our secrets are none of the servers' business, and PG* or TEMPORAL_* variables must not bend them. */
export const plainEnvironment = (): NodeJS.ProcessEnv => {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP'];
  return Object.fromEntries(kept.map((name) => [name, process.env[name]]));
};

const spawnChild = (plan: ChildPlan, output: number): ChildProcess => {
  // detached: Ctrl-C at a terminal reaches the whole process group, and the servers must outlive the draining.
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
  const leash = child.stdio[3] as Writable | null | undefined;
  // A leash that breaks says nothing that `exit` does not say.
  leash?.on('error', () => {});
  let ended = false;
  const exited = new Promise<string>((resolve) => {
    const end = (description: string) => {
      ended = true;
      leash?.end('\n');
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
