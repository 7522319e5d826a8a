import { setTimeout as sleep } from 'node:timers/promises';

export interface Arrivals {
  /** How many start in a second, on average. */
  readonly rate: number;
  readonly seconds: number;
  readonly random: () => number;
  /** Is called at each arrival with the moment for which it was planned, by `performance.now()`. */
  readonly arrive: (plannedAt: number) => void;
}

/**
 * Lets callers arrive as independent people do: the gaps are exponentially distributed and do not wait for answers. A
 * service that stalls therefore finds all that arrived meanwhile, and each waits from the moment that was planned.
 */
export async function letArrive({ rate, seconds, random, arrive }: Arrivals): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  let next = performance.now();
  for (;;) {
    next += (-Math.log(1 - random()) / rate) * 1_000;
    if (next >= end) break;
    const early = next - performance.now();
    if (early > 0) await sleep(early);
    arrive(next);
  }
  await sleep(Math.max(0, end - performance.now()));
}
