import { condition } from '@temporalio/workflow';

/** Goes through continue-as-new unchanged. */
export interface ClockState {
  /** How far this world's time runs ahead of real time. */
  readonly offsetMs: number;
  /** Longest real wait (sandbox), or null where time is real. Always from the workflow's input, never from settings. */
  readonly maxWaitMs: number | null;
}

export interface Clock {
  now(): number;
  /** Waits for that moment, or until `wake` holds, whichever is first. */
  waitUntil(at: number, wake: () => boolean, summary: string): Promise<'woken' | 'due'>;
  /** No moment is known (paused, disputed): only a signal ends this, so that a sandbox does not spin. */
  waitFor(wake: () => boolean): Promise<void>;
  state(): ClockState;
}

export interface ClockEngine {
  realNow(): number;
  waitFor(wake: () => boolean): Promise<void>;
  /** Whether `wake` came to hold before the time was over. */
  waitAtMost(ms: number, wake: () => boolean, summary: string): Promise<boolean>;
}

const engineOfWorkflow: ClockEngine = {
  realNow: () => Date.now(),
  waitFor: (wake) => condition(wake),
  waitAtMost: (ms, wake, summary) => condition(wake, ms, { summary }),
};

/** The one way in which workflows wait and read time. */
export function createClock(start: ClockState, engine: ClockEngine = engineOfWorkflow): Clock {
  let offsetMs = start.offsetMs;
  const { maxWaitMs } = start;
  const now = () => engine.realNow() + offsetMs;

  return {
    now,
    async waitUntil(at, wake, summary) {
      while (!wake()) {
        const left = Math.ceil(at - now());
        if (left <= 0) return 'due';
        const woken = await engine.waitAtMost(maxWaitMs === null ? left : Math.min(left, maxWaitMs), wake, summary);
        if (woken) return 'woken';
        // Exactly the moment that was asked for: holds of the contact gate are compared by it.
        if (maxWaitMs !== null) offsetMs += at - now();
      }
      return 'woken';
    },
    waitFor: (wake) => engine.waitFor(wake),
    state: () => ({ offsetMs, maxWaitMs }),
  };
}
