import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const MINUTE_MS = 60_000;

export interface Bench {
  readonly name: string;
  readonly file: string;
  /** Arguments of the full size; the small size is the benchmark's own default under `BENCH_QUICK`. */
  readonly args: readonly string[];
  readonly limitMs: number;
}

/** What differs from the usual: no arguments, and ten minutes. */
const OWN: Readonly<Record<string, Partial<Pick<Bench, 'args' | 'limitMs'>>>> = {
  answers: { limitMs: 20 * MINUTE_MS },
  hostile: { limitMs: 45 * MINUTE_MS },
  reconciliation: { limitMs: 30 * MINUTE_MS },
  // A development server of two cores starts about eighty workflows a second.
  'worker-memory': { args: ['100000'], limitMs: 60 * MINUTE_MS },
};

/** Every file directly in `bench`, so that a new one cannot be forgotten here. */
export const findBenches = (): Bench[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map((file) => {
      const name = file.slice(0, -'.ts'.length);
      return { name, file: `${FOLDER}${file}`, args: [], limitMs: 10 * MINUTE_MS, ...OWN[name] };
    });
