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

const ROWS_AT_ONCE = 1_000;
/** A row may take long by itself, such as one about a person with a thousand debts. */
const LONGEST_STEP_MS = 10;

/** Calls `work` with each element, and lets other requests take their turns meanwhile. */
export async function eachInTurn<One>(list: Iterable<One>, work: (one: One) => void): Promise<void> {
  let [began, rows] = [performance.now(), 0];
  for (const one of list) {
    work(one);
    rows += 1;
    if (rows < ROWS_AT_ONCE && performance.now() - began < LONGEST_STEP_MS) continue;
    await yieldToEventLoop();
    [began, rows] = [performance.now(), 0];
  }
}

type Compare<One> = (one: One, other: One) => number;

async function merge<One>(left: readonly One[], right: readonly One[], compare: Compare<One>): Promise<One[]> {
  const merged: One[] = [];
  let [at, other] = [0, 0];
  while (at < left.length || other < right.length) {
    const isRight = at === left.length || (other < right.length && compare(left[at]!, right[other]!) > 0);
    merged.push(isRight ? right[other++]! : left[at++]!);
    if (merged.length % ROWS_AT_ONCE === 0) await yieldToEventLoop();
  }
  return merged;
}

/** Sorts a list in parts that are merged then, because one sort of 50,000 rows keeps the process too long. */
export async function sortInTurns<One>(list: readonly One[], compare: Compare<One>): Promise<One[]> {
  let sorted: One[][] = [];
  await inBatches(list, ROWS_AT_ONCE, (part) => void sorted.push(part.toSorted(compare)));
  while (sorted.length > 1) {
    const merged: One[][] = [];
    for (let at = 0; at < sorted.length; at += 2) {
      merged.push(await merge(sorted[at]!, sorted[at + 1] ?? [], compare));
    }
    sorted = merged;
  }
  return sorted[0] ?? [];
}
