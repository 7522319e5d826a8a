import { isDone } from './end-state.ts';
import { type Growth, judgeGrowth } from './growth.ts';
import type { LoadSeen } from './run-load.ts';
import { median, type Point } from './statistics.ts';

export interface Verdict {
  readonly what: string;
  /** Undecided is neither: the run was too short to tell. */
  readonly passed: boolean | null;
  readonly reason: string;
  readonly growth?: Growth;
}

const MIB = 1_024 * 1_024;
const WARM_UP = 0.3;
const WINDOW_SECONDS = 20;
/** A tenth of the memory within an hour, and never less than what a busy process moves by itself. */
const memoryMatters = (level: number): number => Math.max(16 * MIB, level / 10);
/** Ten files within an hour reach the limit of 1,024 within four days. */
const filesMatter = (): number => 10;
/** The p99 of a minute may move by half before an operator would notice. */
const P99_SHARE = 0.5;
const FIRST_MINUTES = 1;

const ofGrowth = (what: string, growth: Growth, unit: (value: number) => string): Verdict => {
  const { level, slope, verdict, reason } = growth;
  if (verdict === 'undecided') return { what, passed: null, reason: `${unit(level)}: ${reason}`, growth };
  const text = `${unit(level)}, ${unit(slope.slope)} an hour (95 %: ${unit(slope.low)} to ${unit(slope.high)}): ${verdict}, ${reason}`;
  return { what, passed: verdict !== 'grows', reason: text, growth };
};

const mebibytes = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;
const pieces = (count: number): string => count.toFixed(0);

function judgeProcesses(seen: LoadSeen): Verdict[] {
  return [...seen.processes].flatMap(([name, samples]) => {
    const points = (of: 'memory' | 'files'): Point[] => samples.map((sample) => ({ x: sample.at, y: sample[of] }));
    const rule = { warmUp: WARM_UP, windowSeconds: WINDOW_SECONDS };
    const nodes = seen.nodes.get(name);
    const counted = nodes?.filter(({ at }) => at >= seen.seconds * WARM_UP);
    const majorCollections =
      counted === undefined ? undefined : (counted.at(-1)?.majorCollections ?? 0) - (counted[0]?.majorCollections ?? 0);
    const memory = judgeGrowth(points('memory'), { ...rule, matters: memoryMatters, majorCollections });
    const files = judgeGrowth(points('files'), { ...rule, matters: filesMatter });
    const heap =
      nodes === undefined
        ? []
        : [
            ofGrowth(
              `heap of ${name}`,
              judgeGrowth(
                nodes.map(({ at, heapUsed }) => ({ x: at, y: heapUsed })),
                { ...rule, matters: memoryMatters, majorCollections },
              ),
              mebibytes,
            ),
          ];
    return [
      ofGrowth(`memory of ${name}`, memory, mebibytes),
      ...heap,
      ofGrowth(`open files of ${name}`, files, pieces),
    ];
  });
}

function judgeP99(seen: LoadSeen): Verdict {
  const minutes = seen.minutes.slice(FIRST_MINUTES).filter(({ count }) => count >= 100);
  const values = minutes.map(({ p99 }) => p99);
  const growth = judgeGrowth(
    minutes.map(({ minute, p99 }) => ({ x: minute * 60, y: p99 })),
    { warmUp: 0, windowSeconds: 60, matters: (level) => (level * P99_SHARE * 3_600) / seen.seconds },
  );
  const range = `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)} ms a minute, median ${median(values).toFixed(0)} ms`;
  const verdict = ofGrowth('p99 of all calls', growth, (ms) => `${ms.toFixed(0)} ms`);
  return { ...verdict, reason: `${range}; ${verdict.reason}` };
}

/** One verdict for each promise, with what it rests on. */
export function judge(seen: LoadSeen): Verdict[] {
  const errors = seen.errors.reduce((sum, { count }) => sum + count, 0);
  const died = Object.entries(seen.deaths).filter(([, deaths]) => deaths > 0);
  const { outbox, unhandledNotifications, unhandledMessages, unsettled, unsent } = seen.end;
  return [
    { what: 'error rate', passed: errors === 0, reason: `${errors} of ${seen.count} calls` },
    {
      what: 'no process ended',
      passed: died.length === 0,
      reason: died.map(([name, deaths]) => `${name} ${deaths} times`).join(', ') || 'all processes ran on',
    },
    {
      what: 'nothing is left undone',
      passed: isDone(seen.end) && unsent === 0,
      reason: `${outbox} outbox rows, ${unhandledNotifications} notifications, ${unhandledMessages} messages, ${unsettled} of ${seen.payments} payments without PAID and receipt, ${unsent} messages that failed`,
    },
    judgeP99(seen),
    ...judgeProcesses(seen),
  ];
}
