interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** The largest number of items in one statement. Further items wait for the next one. */
const MAX_ITEMS = 500;
/** A statement that takes longer waits for a locked row, which must delay only the items of its own statement. */
const LONG_RUN_MS = 50;
const MAX_RUNS = 2;

/**
 * Combines the calls of a statement that every request needs. Calls of the same turn of the event loop, and those that
 * arrive while a statement runs, are combined into one: each statement wakes a process of the database, which costs more
 * than the rows of most. Each caller receives the result of its own item, from a run that began after the call. `run`
 * returns the results in the order of the items.
 */
export function coalesceCalls<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let long = 0;

  function beginNext(): void {
    if (waiting.length > 0 && running === long && running < MAX_RUNS) void runWaiting();
  }

  async function runWaiting(): Promise<void> {
    const batch = waiting.splice(0, MAX_ITEMS);
    let isLong = false;
    const timer = setTimeout(() => {
      isLong = true;
      long += 1;
      beginNext();
    }, LONG_RUN_MS);
    running += 1;
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    clearTimeout(timer);
    running -= 1;
    if (isLong) long -= 1;
    beginNext();
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ item, resolve, reject }) === 1) setImmediate(beginNext);
    });
}
