import { setTimeout as sleep } from 'node:timers/promises';

/** Calls until the result is neither false, null nor undefined, and returns it. `what` names the wait when it fails. */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  { timeoutMs = 25_000, everyMs = 20 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined) {
      return answer as Exclude<T, false | null | undefined>;
    }
    if (Date.now() > deadline) throw new Error(`Not within ${timeoutMs} ms: ${what}`);
    await sleep(everyMs);
  }
}
