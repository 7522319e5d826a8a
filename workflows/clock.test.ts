import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ClockEngine, type ClockState, createClock } from './clock.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 5, 12);

/** Real time advances only during waits; `woken` holds from `signalAt` on; only the first timer fires early. */
function createEngine({ signalAt = Number.POSITIVE_INFINITY, lateMs = 0, earlyMs = 0 } = {}) {
  const waits: number[] = [];
  let real = START;
  const engine: ClockEngine & { woken: () => boolean; waits: number[]; real: () => number } = {
    waits,
    real: () => real,
    woken: () => real >= signalAt,
    realNow: () => real,
    async waitFor(wake) {
      real = signalAt;
      expect(wake()).toBe(true);
    },
    async waitAtMost(ms, wake) {
      waits.push(ms);
      if (real + ms >= signalAt) real = signalAt;
      else real += ms + lateMs - (waits.length === 1 ? earlyMs : 0);
      return wake();
    },
  };
  return engine;
}

const sandbox: ClockState = { offsetMs: 0, maxWaitMs: 2_000 };
const real: ClockState = { offsetMs: 0, maxWaitMs: null };

describe('a clock of the real world', () => {
  it('waits the whole time and never runs ahead', async () => {
    const engine = createEngine({ lateMs: 3 });
    const clock = createClock(real, engine);
    expect(await clock.waitUntil(START + 30 * DAY, engine.woken, '')).toBe('due');
    expect(engine.waits).toEqual([30 * DAY]);
    expect(clock.now()).toBe(engine.real());
    expect(clock.state()).toEqual(real);
  });

  it('continues to wait when a timer fires early', async () => {
    const engine = createEngine({ earlyMs: 5 });
    const clock = createClock(real, engine);
    await clock.waitUntil(START + DAY, engine.woken, '');
    expect(clock.now()).toBe(START + DAY);
    expect(engine.waits).toEqual([DAY, 5]);
  });
});

describe('a clock that the service shifts', () => {
  it.each([-5 * 3_600_000, 2 * DAY])('waits for moments of the service at an offset of %d', async (offsetMs) => {
    const engine = createEngine();
    const clock = createClock({ ...real, offsetMs }, engine);
    expect(clock.now()).toBe(START + offsetMs);
    await clock.waitUntil(START + offsetMs + DAY, engine.woken, '');
    expect(engine.waits).toEqual([DAY]);
  });

  it('waits by another offset from the moment at which it is told', async () => {
    const engine = createEngine();
    const clock = createClock({ ...real, offsetMs: DAY }, engine);
    clock.follow(3 * DAY);
    expect(clock.state()).toEqual({ offsetMs: 3 * DAY, maxWaitMs: null });
    await clock.waitUntil(START + 5 * DAY, engine.woken, '');
    expect(engine.waits).toEqual([2 * DAY]);
  });
});

describe('a clock of the sandbox', () => {
  it('waits at most its longest wait, and then shows exactly the requested moment', async () => {
    const engine = createEngine({ lateMs: 7 });
    const clock = createClock(sandbox, engine);
    expect(await clock.waitUntil(START + 30 * DAY, engine.woken, '')).toBe('due');
    expect(engine.waits).toEqual([2_000]);
    expect(clock.now()).toBe(START + 30 * DAY);
  });

  it('does not advance when a signal ends the wait', async () => {
    const engine = createEngine({ signalAt: START + 500 });
    const clock = createClock(sandbox, engine);
    expect(await clock.waitUntil(START + 30 * DAY, engine.woken, '')).toBe('woken');
    expect(clock.now()).toBe(START + 500);
    expect(clock.state().offsetMs).toBe(0);
  });

  it('continues from the state that continue-as-new carried on', async () => {
    const engine = createEngine();
    const first = createClock(sandbox, engine);
    await first.waitUntil(START + 9 * DAY, engine.woken, '');
    const second = createClock(first.state(), engine);
    expect(second.now()).toBe(first.now());
    await second.waitUntil(START + 10 * DAY, engine.woken, '');
    expect(second.now()).toBe(START + 10 * DAY);
  });
});

describe('a clock of the sandbox that is held', () => {
  /** The commands come while the clock waits, at the given number of its waits. */
  function createHeld(commands: Readonly<Record<number, 'hold' | 'passDay' | 'release'>>) {
    const engine = createEngine();
    const wait = engine.waitAtMost;
    const clock = createClock(sandbox, {
      ...engine,
      waitAtMost: async (ms, wake, summary) => {
        const command = commands[engine.waits.length];
        if (command === undefined) return wait(ms, wake, summary);
        engine.waits.push(ms);
        clock[command]();
        return wake();
      },
    });
    return { clock, engine };
  }

  it('stands where it is and then runs as real time does', async () => {
    const { clock, engine } = createHeld({ 0: 'hold' });
    expect(await clock.waitUntil(START + 30 * DAY, () => false, '')).toBe('due');
    expect(engine.waits).toEqual([2_000, 30 * DAY]);
    expect(clock.state().offsetMs).toBe(0);
  });

  it('goes on by one day, says so, and stands again', async () => {
    const { clock, engine } = createHeld({ 0: 'hold', 1: 'passDay' });
    expect(await clock.waitUntil(START + 30 * DAY, () => false, '')).toBe('dayPassed');
    expect(clock.now()).toBe(START + DAY);
    expect(engine.waits).toEqual([2_000, 30 * DAY, 2_000]);
    expect(await clock.waitUntil(START + DAY + 60_000, () => false, '')).toBe('due');
    expect(engine.waits.at(-1)).toBe(60_000);
  });

  it('goes to a moment of the day that passes, and stays within that day', async () => {
    const { clock } = createHeld({});
    clock.hold();
    clock.hold();
    clock.passDay();
    expect(await clock.waitUntil(START + DAY / 2, () => false, '')).toBe('due');
    expect(clock.now()).toBe(START + DAY / 2);
    expect(await clock.waitUntil(START + 2 * DAY, () => false, '')).toBe('dayPassed');
    expect(clock.now()).toBe(START + DAY);
  });

  it('lets a day pass, and holds, where nobody has held it', async () => {
    const { clock } = createHeld({ 0: 'passDay' });
    expect(await clock.waitUntil(START + 30 * DAY, () => false, '')).toBe('dayPassed');
    expect(clock.now()).toBe(START + DAY);
  });

  it('jumps again once it is released, and remembers over continue-as-new that it is held', async () => {
    const { clock, engine } = createHeld({ 0: 'hold', 1: 'release' });
    expect(await clock.waitUntil(START + 30 * DAY, () => false, '')).toBe('due');
    expect(engine.waits).toEqual([2_000, 30 * DAY, 2_000]);
    clock.hold();
    const next = createClock(clock.state(), engine);
    await next.waitUntil(START + 31 * DAY, () => false, '');
    expect(engine.waits.at(-1)).toBe(DAY);
  });

  it('is nothing for real debts', async () => {
    const engine = createEngine();
    const clock = createClock(real, engine);
    clock.hold();
    clock.passDay();
    expect(await clock.waitUntil(START + 3 * DAY, () => false, '')).toBe('due');
    expect(engine.waits).toEqual([3 * DAY]);
    expect(clock.state()).toEqual(real);
  });

  it('waits for the end of a turn as ever', async () => {
    const { clock, engine } = createHeld({});
    clock.hold();
    expect(await clock.waitShortly(10_000, () => false, '')).toBe('due');
    expect(engine.waits).toEqual([2_000]);
    expect(clock.now()).toBe(START + 10_000);
  });
});

describe('any clock', () => {
  it('does not wait for a moment that has passed, nor when it is already woken', async () => {
    for (const state of [real, sandbox]) {
      const engine = createEngine();
      const clock = createClock(state, engine);
      expect(await clock.waitUntil(START, () => false, '')).toBe('due');
      expect(await clock.waitUntil(START - DAY, () => false, '')).toBe('due');
      expect(await clock.waitUntil(START + DAY, () => true, '')).toBe('woken');
      expect(engine.waits).toEqual([]);
    }
  });

  it('starts no timer while no moment is known', async () => {
    const engine = createEngine({ signalAt: START + 90 * DAY });
    const clock = createClock(sandbox, engine);
    await clock.waitFor(engine.woken);
    expect(engine.waits).toEqual([]);
    expect(clock.now()).toBe(START + 90 * DAY);
  });

  it('never goes back, never waits longer than allowed, and is due no earlier than requested', async () => {
    const moment = fc.integer({ min: -DAY, max: 60 * DAY });
    const maxWait = fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: null });
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { maxLength: 12 }), maxWait, fc.nat(50), async (moments, maxWaitMs, lateMs) => {
        const engine = createEngine({ lateMs });
        const clock = createClock({ offsetMs: 0, maxWaitMs }, engine);
        for (const at of moments) {
          const before = clock.now();
          await clock.waitUntil(START + at, () => false, '');
          expect(clock.now()).toBeGreaterThanOrEqual(Math.max(before, START + at));
        }
        if (maxWaitMs !== null) expect(Math.max(0, ...engine.waits)).toBeLessThanOrEqual(maxWaitMs);
      }),
    );
  });
});
