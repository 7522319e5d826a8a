const FIRST_MS = 250;
const CAP_MS = 30_000;

/** Doubles from 250 ms to 30 s. The upper half of each step is random, so that rows that failed together are spread. */
export function retryDelayMs(attempts: number, random: number): number {
  const step = Math.min(CAP_MS, FIRST_MS * 2 ** Math.min(Math.max(attempts, 1) - 1, 20));
  return Math.round(step / 2 + (step / 2) * random);
}
