import { setTimeout as sleep } from 'node:timers/promises';
import type { WatchedChild } from './watched-child.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
const STABLE_MS = 60_000;

export interface SupervisedPlan {
  name: string;
  /** Starts the server and resolves when it answers. When it rejects, no process is left running. */
  launch(): Promise<WatchedChild>;
  stopGraceMs: number;
  log: (line: string) => void;
}

export interface Supervised {
  pid(): number | undefined;
  onExit(listener: (reason: string) => void): void;
  stop(): Promise<void>;
}

/** Keeps one server running: an unexpected exit is logged, and the server is started again after growing pauses. */
export const supervise = async ({ name, launch, stopGraceMs, log }: SupervisedPlan): Promise<Supervised> => {
  const listeners: Array<(reason: string) => void> = [];
  const stopping = new AbortController();
  let current: WatchedChild | undefined = await launch();

  const relaunch = async (firstPauseMs: number): Promise<WatchedChild | undefined> => {
    for (let pause = firstPauseMs; !stopping.signal.aborted; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return undefined;
      try {
        return await launch();
      } catch (error) {
        log(`${name} could not be started again: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return undefined;
  };

  const watch = async (): Promise<void> => {
    let pause = FIRST_PAUSE_MS;
    while (current !== undefined) {
      const since = Date.now();
      const reason = await current.exited;
      if (stopping.signal.aborted) return;
      current = undefined;
      pause = Date.now() - since > STABLE_MS ? FIRST_PAUSE_MS : Math.min(pause * 2, MAX_PAUSE_MS);
      log(`${name} ended by itself (${reason}): starting it again`);
      for (const listener of listeners) listener(reason);
      current = await relaunch(pause);
      if (current !== undefined && !stopping.signal.aborted) log(`${name} is back`);
    }
  };
  const watching = watch();

  return {
    pid: () => current?.pid,
    onExit: (listener) => {
      listeners.push(listener);
    },
    stop: async () => {
      stopping.abort();
      await current?.stop(stopGraceMs);
      // A launch in progress at the time of the stop may have started another child.
      await watching;
      await current?.stop(stopGraceMs);
    },
  };
};
