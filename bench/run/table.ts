import type { Results } from './results.ts';

const number = (value: number | undefined): string =>
  value === undefined ? '' : Math.abs(value) >= 1_000 ? value.toFixed(0) : value.toPrecision(3);

/** All figures of a run, and every benchmark that has none. */
export function tableOf({ benches }: Pick<Results, 'benches'>): string[] {
  const rows = benches.flatMap(({ name, outcome, reason, figures }) => [
    ...figures.map((figure) => [
      name,
      figure.name,
      `${number(figure.value)} ${figure.unit}`,
      figure.baseline === undefined ? '' : `${number(figure.baseline.value)} (${figure.baseline.name})`,
      number(figure.ratio),
      figure.goal === undefined
        ? ''
        : `${figure.goal.of} ${figure.better === 'less' ? '≤' : '≥'} ${number(figure.goal.limit)}`,
      figure.met === null ? '' : figure.met ? 'met' : 'MISSED',
    ]),
    ...(outcome === 'done' ? [] : [[name, `${outcome.toUpperCase()}: ${reason ?? ''}`, '', '', '', '', '']]),
  ]);
  const head = ['benchmark', 'figure', 'value', 'baseline', 'ratio', 'goal', ''];
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]!.length)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
}
