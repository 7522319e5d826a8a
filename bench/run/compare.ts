import type { Compared } from './results.ts';

export type Change = 'better' | 'same' | 'worse' | 'new' | 'gone' | 'not compared';

export interface Line {
  readonly bench: string;
  readonly figure: string;
  readonly change: Change;
  readonly before: number | null;
  readonly now: number | null;
  /** Why it was not compared. */
  readonly reason?: string;
}

type Figure = Compared['benches'][number]['figures'][number];

/** Memory is compared as it is; everything else by its ratio to what was measured in the same run. */
const MEMORY = new Set(['MB', 'MiB', 'times']);

const measureOf = (figure: Figure | undefined): number | null => {
  if (figure === undefined) return null;
  return figure.ratio ?? (MEMORY.has(figure.unit) ? figure.value : null);
};

function changeOf(before: Figure, now: Figure, tolerance: number): Pick<Line, 'change' | 'reason'> {
  const [old, recent] = [measureOf(before), measureOf(now)];
  if (before.unit !== now.unit || before.baseline?.name !== now.baseline?.name) {
    return { change: 'not compared', reason: 'the unit or the baseline is another' };
  }
  if (old === null || recent === null) return { change: 'not compared', reason: 'there is no ratio' };
  const [low, high] = [old / (1 + tolerance), old * (1 + tolerance)];
  if (recent >= low && recent <= high) return { change: 'same' };
  return { change: recent > high === (now.better === 'more') ? 'better' : 'worse' };
}

const figuresOf = (results: Compared): Map<string, { bench: string; figure: Figure }> =>
  new Map(
    results.benches.flatMap(({ name, figures }) =>
      figures.map((figure) => [`${name}\n${figure.name}`, { bench: name, figure }] as const),
    ),
  );

/** Compares the ratios of two runs of the same size. What only one of them has measured is named, not judged. */
export function compare(before: Compared, now: Compared, tolerance: number): Line[] {
  const [old, recent] = [figuresOf(before), figuresOf(now)];
  const ran = new Set(now.benches.map(({ name }) => name));
  const lines = [...recent].map(([key, { bench, figure }]): Line => {
    const known = old.get(key)?.figure;
    const values = { bench, figure: figure.name, before: measureOf(known), now: measureOf(figure) };
    if (known === undefined) return { ...values, change: 'new' };
    if (before.quick !== now.quick) return { ...values, change: 'not compared', reason: 'the sizes are others' };
    return { ...values, ...changeOf(known, figure, tolerance) };
  });
  const gone = [...old]
    // A benchmark that was not asked for has lost nothing.
    .filter(([key, { bench }]) => !recent.has(key) && ran.has(bench))
    .map(([, { bench, figure }]): Line => {
      return { bench, figure: figure.name, change: 'gone', before: measureOf(figure), now: null };
    });
  return [...lines, ...gone];
}

const ORDER: readonly Change[] = ['worse', 'gone', 'better', 'new', 'not compared', 'same'];

/** The report for people: what became worse first. */
export function comparisonLines(lines: readonly Line[], before: string, tolerance: number): string[] {
  const count = (change: Change): number => lines.filter((line) => line.change === change).length;
  const number = (value: number | null): string => (value === null ? '-' : value.toPrecision(3));
  const head = `Against ${before}, by the ratios to the baselines, with a tolerance of ${Math.round(tolerance * 100)} %: ${ORDER.map((change) => `${count(change)} ${change}`).join(', ')}`;
  const shown = lines
    .filter(({ change }) => change !== 'same')
    .toSorted((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change))
    .map(
      ({ bench, figure, change, before: old, now, reason }) =>
        `${change.padEnd(12)}  ${bench}: ${figure}: ${number(old)} → ${number(now)}${reason === undefined ? '' : ` (${reason})`}`,
    );
  return [head, ...shown];
}
