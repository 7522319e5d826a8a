import { setTimeout as sleep } from 'node:timers/promises';

interface Waiting {
  readonly timeoutMs?: number;
  readonly everyMs?: number;
  readonly explain?: () => unknown;
}

/**
 * Calls until the result is neither false, null nor undefined, and returns it. When it fails, `what` names the wait and
 * `explain` tells what there was instead.
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  { timeoutMs = 25_000, everyMs = 20, explain }: Waiting = {},
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined) {
      return answer as Exclude<T, false | null | undefined>;
    }
    if (Date.now() > deadline) {
      const found = explain === undefined ? '' : `; there is ${JSON.stringify(await explain())}`;
      throw new Error(`Not within ${timeoutMs} ms: ${what}${found}`);
    }
    await sleep(everyMs);
  }
}
