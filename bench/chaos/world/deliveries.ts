import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';

export interface Delivery {
  /** Posts it once and returns the status; it may throw. */
  readonly post: () => Promise<number>;
  /** Is called at the first answer with 200. */
  readonly accepted?: () => void;
  /** The chance that the first attempt is lost on its way, and that the delivery comes a second time. */
  readonly lost?: number;
  readonly twice?: number;
  readonly withinMs?: number;
}

/** The providers repeat after minutes; here everything that takes minutes takes seconds. */
const RETRY_MS = 1_500;

/** Posts to the service as providers do: late, sometimes twice, and again until the service has answered 200. */
export function createDeliveries(random: Random) {
  let waiting = 0;
  let stopped = false;

  async function untilAccepted(post: () => Promise<number>): Promise<void> {
    while (!stopped) {
      const status = await post().catch(() => 0);
      if (status === 200) return;
      await sleep(RETRY_MS);
    }
  }

  async function run({ post, accepted, lost = 0, twice = 0, withinMs = 1_000 }: Delivery): Promise<void> {
    await sleep(random.between(0, withinMs));
    if (random.next() < lost) await sleep(RETRY_MS * 2);
    const again = random.next() < twice;
    await untilAccepted(post);
    if (stopped) return;
    accepted?.();
    if (!again) return;
    await sleep(random.between(0, 3_000));
    await untilAccepted(post);
  }

  return {
    start(delivery: Delivery): Promise<void> {
      waiting += 1;
      return run(delivery).finally(() => {
        waiting -= 1;
      });
    },
    waiting: () => waiting,
    stop: () => {
      stopped = true;
    },
  };
}

export type Deliveries = ReturnType<typeof createDeliveries>;
