import { appendFileSync } from 'node:fs';

/** What a benchmark has measured, in a form that the runner can compare with that of another run. */
export interface Figure {
  /** Stays the same over releases, because figures are compared by it. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly better: 'less' | 'more';
  /** The reference that was measured in the same run. */
  readonly baseline?: { readonly name: string; readonly value: number };
  /** Value by baseline; given where it is the median of the rounds' ratios. */
  readonly ratio?: number;
  readonly goal?: { readonly of: 'value' | 'ratio'; readonly limit: number };
}

export interface ReportedFigure extends Figure {
  readonly met: boolean | null;
}

export function complete(figure: Figure): ReportedFigure {
  const { value, baseline, goal, better } = figure;
  const ratio = figure.ratio ?? (baseline === undefined ? undefined : value / baseline.value);
  const judged = goal?.of === 'ratio' ? ratio : value;
  const met =
    goal === undefined || judged === undefined ? null : better === 'less' ? judged <= goal.limit : judged >= goal.limit;
  return { ...figure, ...(ratio === undefined ? {} : { ratio }), met };
}

/** Prints a line for people, and hands its figures to `npm run bench` when that runs the benchmark. */
export function report(line: string, ...figures: readonly Figure[]): void {
  process.stdout.write(`${line}\n`);
  const file = process.env['BENCH_FIGURES'];
  if (file === undefined) return;
  for (const figure of figures) appendFileSync(file, `${JSON.stringify(complete(figure))}\n`);
}
