interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** The largest number of items in one statement. Further items wait for the next one. */
const MAX_ITEMS = 500;
/** More than one statement runs at once, so that a locked row delays only the items of its own statement. */
const MAX_RUNS = 2;

/**
 * Combines the calls of a statement that every request needs. A single call runs immediately; calls that arrive while
 * others run are combined into one statement. Each caller receives the result of its own item, from a run that began
 * after the call. `run` returns the results in the order of the items.
 */
export function coalesceCalls<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;

  async function runWaiting(): Promise<void> {
    running += 1;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_ITEMS);
      try {
        const results = await run(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => {
          resolve(results[index] as Result);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running -= 1;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running < MAX_RUNS) void runWaiting();
    });
}
