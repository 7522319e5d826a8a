import { condition } from '@temporalio/workflow';

/** Continue-as-new carries this state on unchanged. */
export interface ClockState {
  /** How far the workflow's time is ahead of real time: by the sandbox, and by the clock of the service. */
  readonly offsetMs: number;
  /**
   * The longest real wait (sandbox), or null for real time. It comes from the workflow's input, never from settings.
   */
  readonly maxWaitMs: number | null;
}

export interface Clock {
  now(): number;
  /** Waits for the moment `at` or until `wake` holds, whichever comes first. */
  waitUntil(at: number, wake: () => boolean, summary: string): Promise<'woken' | 'due'>;
  /**
   * For states without a known moment (paused, disputed): only a signal ends the wait, so that a sandbox does not loop.
   */
  waitFor(wake: () => boolean): Promise<void>;
  /** Takes another offset, because the service was started with another one. */
  follow(offsetMs: number): void;
  state(): ClockState;
}

export interface ClockEngine {
  realNow(): number;
  waitFor(wake: () => boolean): Promise<void>;
  /** Returns whether `wake` held before the time was over. */
  waitAtMost(ms: number, wake: () => boolean, summary: string): Promise<boolean>;
}

const engineOfWorkflow: ClockEngine = {
  realNow: () => Date.now(),
  waitFor: (wake) => condition(wake),
  waitAtMost: (ms, wake, summary) => condition(wake, ms, { summary }),
};

/** A moment for people, to the minute. */
export const momentText = (at: number): string => new Date(at).toISOString().replace(/:\d\d\.\d{3}Z$/, 'Z');

/** Workflows wait and read the time only through this clock. */
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
        // The clock is set to exactly the requested moment, because the contact gate compares reservations with it.
        if (maxWaitMs !== null) offsetMs += at - now();
      }
      return 'woken';
    },
    waitFor: (wake) => engine.waitFor(wake),
    follow: (given) => {
      offsetMs = given;
    },
    state: () => ({ offsetMs, maxWaitMs }),
  };
}
