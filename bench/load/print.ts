import type { Sample } from './processes.ts';
import type { LoadSeen } from './run-load.ts';
import { median } from './statistics.ts';
import type { Verdict } from './verdicts.ts';

const row = (cells: readonly (string | number)[], widths: readonly number[]): string =>
  cells.map((cell, at) => (at === 0 ? String(cell).padEnd(widths[0]!) : String(cell).padStart(widths[at]!))).join('  ');

const WIDTHS = [22, 8, 8, 10, 10, 10];
const ms = (value: number): string => `${value.toFixed(0)} ms`;

const cpuShare = (samples: readonly Sample[]): number => {
  const [first, last] = [samples[0], samples.at(-1)];
  return first === undefined || last === undefined || last.at === first.at
    ? Number.NaN
    : (last.cpu - first.cpu) / (last.at - first.at);
};

/** The lines of a run, for people. */
export function linesOf(seen: LoadSeen, verdicts: readonly Verdict[]): string[] {
  const { settlement } = seen;
  return [
    '',
    row(['calls', 'count', 'errors', 'p50', 'p99', 'longest'], WIDTHS),
    ...seen.kinds
      .toSorted((a, b) => b.count - a.count)
      .map((one) => row([one.kind, one.count, one.errors, ms(one.p50), ms(one.p99), ms(one.longest)], WIDTHS)),
    '',
    row(['minute', 'count', '', 'p50', 'p99'], WIDTHS),
    ...seen.minutes.map((one) => row([one.minute + 1, one.count, '', ms(one.p50), ms(one.p99)], WIDTHS)),
    '',
    row(['process', 'cores', 'files', 'memory', 'heap', 'loop p99'], WIDTHS),
    ...[...seen.processes].map(([name, samples]) => {
      const nodes = seen.nodes.get(name) ?? [];
      const last = samples.at(-1);
      return row(
        [
          name,
          cpuShare(samples).toFixed(2),
          last?.files ?? '',
          `${((last?.memory ?? 0) / 2 ** 20).toFixed(0)} MiB`,
          nodes.length === 0 ? '-' : `${((nodes.at(-1)?.heapUsed ?? 0) / 2 ** 20).toFixed(0)} MiB`,
          nodes.length === 0 ? '-' : ms(median(nodes.map(({ loopDelayMs }) => loopDelayMs))),
        ],
        WIDTHS,
      );
    }),
    '',
    `${seen.contacts} contacts, ${seen.payments} payments, ${seen.messages} inbound messages; from notification to APPROVED p50 ${ms((settlement.p50 ?? Number.NaN) * 1_000)}, p99 ${ms((settlement.p99 ?? Number.NaN) * 1_000)}`,
    `the load's own event loop was late by ${ms(seen.ownDelayMs.p99)} at the 99th percentile, ${ms(seen.ownDelayMs.longest)} at most`,
    ...seen.errors.slice(0, 20).map(({ what, count }) => `${count} times ${what}`),
    '',
    ...verdicts.map(
      ({ what, passed, reason }) =>
        `${passed === null ? 'UNDECIDED' : passed ? 'ok       ' : 'FAILED   '}  ${what}: ${reason}`,
    ),
  ];
}
