import { setTimeout as sleep } from 'node:timers/promises';
import { chooserOf } from '../support/random.ts';
import { letArrive } from './arrivals.ts';
import { oldestWorkSeconds } from './end-state.ts';
import { type Kind, MIX, type Traffic } from './mix.ts';
import type { World } from './world.ts';

const FIRST_RATE = 20;
const STEP_SECONDS = 10;
const SLOWEST_P99_MS = 1_000;
const OLDEST_WORK_SECONDS = 5;
const REST_MS = 2_000;

export interface Step {
  readonly rate: number;
  readonly p99: number;
  readonly errors: number;
  readonly oldestWork: number;
  readonly carried: boolean;
}

/**
 * Raises the rate until the service does not carry it: an error, a p99 over a second, or work that waits for five
 * seconds. The rate doubles first; then one step lies between the last two. A step is short, so the capacity is one for
 * a burst, of which half is held for long.
 */
export async function findCapacity(
  world: World,
  traffic: Traffic,
  random: () => number,
  tell: (step: Step) => void,
): Promise<number> {
  const choose = chooserOf<Kind>(MIX, random);
  const step = async (rate: number): Promise<boolean> => {
    world.recorder.restart();
    await letArrive({ rate, seconds: STEP_SECONDS, random, arrive: (at) => traffic.arrive(choose(), at) });
    const oldestWork = await oldestWorkSeconds(world.owner);
    await traffic.settle();
    const { errorCount: errors } = world.recorder;
    const p99 = world.recorder.quantile(0.99);
    const carried = errors === 0 && p99 < SLOWEST_P99_MS && oldestWork < OLDEST_WORK_SECONDS;
    tell({ rate, p99, errors, oldestWork, carried });
    await sleep(REST_MS);
    return carried;
  };
  let carried = 0;
  let rate = FIRST_RATE;
  while (await step(rate)) {
    carried = rate;
    rate *= 2;
  }
  const between = Math.round((carried + rate) / 2);
  if (carried > 0 && (await step(between))) carried = between;
  return carried;
}
