import { setTimeout as sleep } from 'node:timers/promises';
import type { WatchedChild } from './watched-child.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const STABLE_MS = 60_000;

export interface SupervisedPlan {
  name: string;
  /** Starts the server and resolves once it answers; rejects, with nothing left running, when it does not. */
  launch(): Promise<WatchedChild>;
  stopGraceMs: number;
  log: (line: string) => void;
}

export interface Supervised {
  pid(): number | undefined;
  onExit(listener: (reason: string) => void): void;
  stop(): Promise<void>;
}

/** Keeps one server alive: an end that nobody asked for is said and followed by another start, with growing pauses. */
export const supervise = async ({ name, launch, stopGraceMs, log }: SupervisedPlan): Promise<Supervised> => {
  const listeners: Array<(reason: string) => void> = [];
  const stopping = new AbortController();
  let current: WatchedChild | undefined = await launch();

  const relaunch = async (firstPauseMs: number): Promise<WatchedChild | undefined> => {
    for (let pause = firstPauseMs; !stopping.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return undefined;
      try {
        return await launch();
      } catch (error) {
        log(`${name} does not start again: ${error instanceof Error ? error.message : String(error)}`);
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
      pause = Date.now() - since > STABLE_MS ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
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
      // A launch that was under way when the stop came may have brought up another child.
      await watching;
      await current?.stop(stopGraceMs);
    },
  };
};
