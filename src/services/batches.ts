interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Bounds one statement; what is beyond it goes with the next. */
const AT_ONCE = 500;
/** More than one, so that a row which somebody holds delays only those that came with it. */
const AT_WORK = 2;

/**
 * For a statement that every request needs: what comes alone is run at once; what comes while others are run goes
 * together, in one statement. Each caller hears of its own item, and only of a run that began after it had asked.
 * `run` answers in the order of the items.
 */
export function createBatches<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let atWork = 0;

  async function runWaiting(): Promise<void> {
    atWork += 1;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, AT_ONCE);
      try {
        const results = await run(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => {
          resolve(results[index] as Result);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    atWork -= 1;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (atWork < AT_WORK) void runWaiting();
    });
}
