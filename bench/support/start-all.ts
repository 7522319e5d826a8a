const STARTERS = 16;

/** Calls `start` for each of `count` from a few callers at once. */
export async function startAll(count: number, start: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const starter = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await start(index);
  };
  await Promise.all(Array.from({ length: STARTERS }, starter));
}
