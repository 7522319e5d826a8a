import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessPlan {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** A function is asked at each start. */
  readonly env: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>);
  readonly cwd?: string;
  /** Output of all starts, in order. */
  readonly logFile: string;
  /** Resolves when the process serves. It is asked again after each start. */
  readonly isReady?: () => Promise<boolean>;
  /** The pause before a dead process is started again, as a supervisor of the system would. */
  readonly restartAfterMs?: number;
}

export interface KeptProcess {
  readonly name: string;
  pid(): number | undefined;
  /** How often the process has ended without being asked to. */
  deaths(): number;
  signal(signal: NodeJS.Signals): void;
  ready(withinMs?: number): Promise<void>;
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 90_000;
const STOP_GRACE_MS = 25_000;

/** Keeps one process running: whoever kills it finds another one soon after. */
export function keepProcess(plan: ProcessPlan): KeptProcess {
  let child: ChildProcess | undefined;
  let deaths = 0;
  let stopping = false;
  let ended: Promise<void> = Promise.resolve();

  const launch = (): void => {
    const output = openSync(plan.logFile, 'a');
    const { PATH = '', HOME = '' } = process.env;
    const started = spawn(plan.command, plan.args, {
      cwd: plan.cwd,
      env: { PATH, HOME, ...(typeof plan.env === 'function' ? plan.env() : plan.env) },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    child = started;
    ended = new Promise((resolve) => {
      started.once('error', () => resolve());
      started.once('exit', () => {
        child = undefined;
        resolve();
        if (stopping) return;
        deaths += 1;
        void sleep(plan.restartAfterMs ?? 500).then(() => {
          if (!stopping) launch();
        });
      });
    });
  };
  launch();

  return {
    name: plan.name,
    pid: () => child?.pid,
    deaths: () => deaths,
    signal: (signal) => void child?.kill(signal),
    ready: async (withinMs = READY_WITHIN_MS) => {
      const deadline = Date.now() + withinMs;
      while (plan.isReady !== undefined && !(await plan.isReady().catch(() => false))) {
        if (Date.now() > deadline)
          throw new Error(`${plan.name} was not ready within ${withinMs} ms: see ${plan.logFile}`);
        await sleep(100);
      }
    },
    stop: async () => {
      stopping = true;
      // A stopped process takes no other signal before it continues.
      child?.kill('SIGCONT');
      child?.kill('SIGTERM');
      const timer = setTimeout(() => child?.kill('SIGKILL'), STOP_GRACE_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}
