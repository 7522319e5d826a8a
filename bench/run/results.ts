import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Machine } from '../support/machine.ts';
import type { ReportedFigure } from '../support/report.ts';

export interface BenchResult {
  readonly name: string;
  readonly outcome: 'done' | 'failed' | 'too long';
  /** Why it was not done. */
  readonly reason?: string;
  readonly seconds: number;
  /** The load average of the machine before it began: figures of a busy machine are worth less. */
  readonly loadBefore: number;
  readonly figures: readonly ReportedFigure[];
}

export interface Results {
  readonly version: string;
  /** Small sizes. Figures of different sizes are not compared. */
  readonly quick: boolean;
  readonly startedAt: string;
  readonly machine: Machine;
  readonly benches: readonly BenchResult[];
}

/** Only what a comparison reads, because an older release's file may hold other things. */
const resultsSchema = z.object({
  version: z.string(),
  quick: z.boolean(),
  benches: z
    .array(
      z.object({
        name: z.string(),
        outcome: z.string(),
        figures: z
          .array(
            z.object({
              name: z.string(),
              value: z.number().nullable(),
              unit: z.string(),
              better: z.enum(['less', 'more']),
              ratio: z.number().nullish(),
              baseline: z.object({ name: z.string() }).optional(),
            }),
          )
          .readonly(),
      }),
    )
    .readonly(),
});
export type Compared = z.infer<typeof resultsSchema>;

export const readResults = (file: string): Compared => resultsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
