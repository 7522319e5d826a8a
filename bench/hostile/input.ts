import type { Source } from './source.ts';

/** One hostile input of the second penetration test. */
export interface Input {
  readonly name: string;
  /** The number of the finding that it repeats. */
  readonly finding: number;
  prepare(source: Source): Promise<Attack>;
}

export interface Attack {
  /** From the beginning of a volley to that of the next one, which waits for the end of the one before. */
  readonly everyMs: number;
  /** How many calls a volley has. */
  readonly atOnce: number;
  /** Makes the call of this number, and returns the status of the answer or what happened in its place. */
  strike(n: number): Promise<string>;
}
