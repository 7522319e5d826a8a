/**
 * The most CPU time, in milliseconds, that this thread spent in one turn of the event loop while `work` was under way. CPU
 * time and not the clock: a busy machine lets the thread wait, and that is no loop that was held.
 */
export async function longestTurn(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  const note = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
  };
  const timer = setInterval(note, 1);
  try {
    await work();
    // What the last turn has left to do counts too.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    clearInterval(timer);
  }
  note();
  return longest;
}

/**
 * The least of at most four measures, which ends at the first one below `limit`. A collection of what earlier suites left
 * in this process may fall into one measure, but not into each; what the work itself costs, it costs each time.
 */
export async function leastOf(limit: number, measure: () => number | Promise<number>): Promise<number> {
  let least = await measure();
  for (let again = 0; least >= limit && again < 3; again += 1) least = Math.min(least, await measure());
  return least;
}
