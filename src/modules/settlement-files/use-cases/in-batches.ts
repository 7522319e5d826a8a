import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Calls `work` with parts of a list, one after the other, so that no statement and no step of the process is too long. */
export async function inBatches<One>(
  list: readonly One[],
  size: number,
  work: (part: readonly One[]) => Promise<void> | void,
): Promise<void> {
  for (let from = 0; from < list.length; from += size) {
    await work(list.slice(from, from + size));
    await yieldToEventLoop();
  }
}
