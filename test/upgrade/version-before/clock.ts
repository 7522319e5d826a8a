import { condition } from '@temporalio/workflow';

/** Continue-as-new carries this state on unchanged. */
export interface ClockState {
  /** How far the workflow's time is ahead of real time: by the sandbox, and by the clock of the service. */
  readonly offsetMs: number;
  /**
   * The longest real wait (sandbox), or null for real time. It comes from the workflow's input, never from settings.
   */
  readonly maxWaitMs: number | null;
  /** The furthest moment to which a held clock moves by itself; absent while the clock is free. */
  readonly heldAt?: number;
}

export interface Clock {
  now(): number;
  /**
   * Waits for the moment `at` or until `wake` holds, whichever comes first. A held clock ends the wait too, as
   * `dayPassed`, when it has gone as far as it may.
   */
  waitUntil(at: number, wake: () => boolean, summary: string): Promise<'woken' | 'due' | 'dayPassed'>;
  /** Waits for a time that is too short to be held. */
  waitShortly(ms: number, wake: () => boolean, summary: string): Promise<'woken' | 'due' | 'dayPassed'>;
  /**
   * For states without a known moment (paused, disputed): only a signal ends the wait, so that a sandbox does not loop.
   */
  waitFor(wake: () => boolean): Promise<void>;
  /** Takes another offset, because the service was started with another one. */
  follow(offsetMs: number): void;
  /** Lets a simulated clock run only as real time does. */
  hold(): void;
  /** Lets a simulated clock move on by one day and holds it there. */
  passDay(): void;
  release(): void;
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

const DAY_MS = 86_400_000;

/** Workflows wait and read the time only through this clock. */
export function createClock(start: ClockState, engine: ClockEngine = engineOfWorkflow): Clock {
  let offsetMs = start.offsetMs;
  let heldAt = start.heldAt ?? null;
  /** Counts the commands, each of which changes how long to wait. */
  let commands = 0;
  const { maxWaitMs } = start;
  const now = () => engine.realNow() + offsetMs;

  /** The clock is set to exactly the requested moment, because the contact gate compares reservations with it. */
  const moveTo = (at: number): void => {
    offsetMs += at - now();
  };
  const setHeld = (at: number | null): void => {
    if (maxWaitMs === null) return;
    heldAt = at;
    commands += 1;
  };

  async function wait(
    at: number,
    wake: () => boolean,
    summary: string,
    furthest: () => number,
  ): Promise<'woken' | 'due' | 'dayPassed'> {
    while (!wake()) {
      if (at - now() <= 0) return 'due';
      const next = Math.min(at, furthest());
      const jumps = maxWaitMs !== null && next > now();
      const left = Math.ceil((jumps ? next : at) - now());
      const seen = commands;
      const isWoken = () => wake() || commands !== seen;
      const woken = await engine.waitAtMost(jumps ? Math.min(left, maxWaitMs) : left, isWoken, summary);
      if (woken || !jumps) continue;
      moveTo(next);
      if (next < at) return 'dayPassed';
    }
    return 'woken';
  }

  return {
    now,
    waitUntil: (at, wake, summary) => wait(at, wake, summary, () => heldAt ?? at),
    waitShortly: (ms, wake, summary) => wait(now() + ms, wake, summary, () => Number.POSITIVE_INFINITY),
    waitFor: (wake) => engine.waitFor(wake),
    follow: (given) => {
      offsetMs = given;
    },
    hold: () => setHeld(heldAt ?? now()),
    passDay: () => setHeld(Math.max(heldAt ?? 0, now()) + DAY_MS),
    release: () => setHeld(null),
    state: () => ({ offsetMs, maxWaitMs, ...(heldAt === null ? {} : { heldAt }) }),
  };
}
