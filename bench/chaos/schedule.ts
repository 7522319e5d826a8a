import type { Random } from '../support/random.ts';
import type { Day } from './days.ts';
import { ANSWER_FAULTS, type AnswerFault } from './world/faulty-proxy.ts';
import type { FaultyParty } from './world/protocol.ts';

export type Way = 'api' | 'database' | 'engine';

export type Fault =
  | { readonly kind: 'kill'; readonly on: string }
  | { readonly kind: 'stop'; readonly on: string; readonly forMs: number }
  | { readonly kind: 'cut'; readonly on: Way }
  | { readonly kind: 'refuse'; readonly on: Way; readonly forMs: number }
  | { readonly kind: 'answers'; readonly on: FaultyParty; readonly fault: AnswerFault; readonly forMs: number }
  | { readonly kind: 'full_disk'; readonly on: 'postgres'; readonly forMs: number }
  | { readonly kind: 'clock_step'; readonly on: 'product'; readonly byMs: number };

export interface PlannedFault {
  readonly day: number;
  /** After the beginning of the day, in real time. */
  readonly afterMs: number;
  readonly fault: Fault;
}

const STOPPED_MS = 20_000;
const MINUTE = 60_000;

export const describeFault = (fault: Fault): string => {
  switch (fault.kind) {
    case 'kill':
      return `kill -9 ${fault.on}`;
    case 'stop':
      return `SIGSTOP ${fault.on} for ${fault.forMs / 1_000} s`;
    case 'cut':
      return `cut the connections to ${fault.on}`;
    case 'refuse':
      return `refuse connections to ${fault.on} for ${fault.forMs / 1_000} s`;
    case 'answers':
      return `${fault.on} answers: ${fault.fault}, for ${fault.forMs / 1_000} s`;
    case 'full_disk':
      return `full disk of ${fault.on} for ${fault.forMs / 1_000} s`;
    case 'clock_step':
      return `clock step of ${fault.byMs / 1_000} s`;
  }
};

export interface ScheduleOptions {
  readonly random: Random;
  readonly days: readonly Day[];
  readonly processes: readonly string[];
  readonly withFullDisk: boolean;
}

/** Every kind of fault on everything that can have it, spread over the open days by the seed. */
export function makeSchedule({ random, days, processes, withFullDisk }: ScheduleOptions): readonly PlannedFault[] {
  const ways: readonly Way[] = ['api', 'database', 'engine'];
  const parties: readonly FaultyParty[] = ['whatsapp', 'banks', 'receiver'];
  const forMs = (): number => random.between(4, 9) * 1_000;
  const workers = processes.filter((name) => name.startsWith('worker'));
  const all: readonly Fault[] = [
    ...processes.map((on): Fault => ({ kind: 'kill', on })),
    ...workers.map((on): Fault => ({ kind: 'kill', on })),
    ...['postgres', random.oneOf(workers), random.oneOf(processes)].map(
      (on): Fault => ({ kind: 'stop', on, forMs: STOPPED_MS }),
    ),
    ...ways.map((on): Fault => ({ kind: 'cut', on })),
    ...ways.map((on): Fault => ({ kind: 'refuse', on, forMs: forMs() })),
    ...parties.flatMap((on) => ANSWER_FAULTS.map((fault): Fault => ({ kind: 'answers', on, fault, forMs: forMs() }))),
    ...(withFullDisk ? [{ kind: 'full_disk', on: 'postgres', forMs: 10_000 } as const] : []),
    // What is planned, leased or due waits until a clock that was set back has caught up, so the step back is short.
    { kind: 'clock_step', on: 'product', byMs: -20_000 },
    { kind: 'clock_step', on: 'product', byMs: 11 * MINUTE },
  ];
  const open = days.flatMap(({ open: isOpen }, index) => (isOpen ? [index] : []));
  // The first day has most of the contacts, so it has most of the faults.
  const places = [open[0]!, ...open];
  return random
    .shuffled(all)
    .map((fault, index) => ({ day: places[index % places.length]!, afterMs: random.between(1, 30) * 1_000, fault }))
    .sort((one, other) => one.day - other.day || one.afterMs - other.afterMs);
}

/** Three faults on the first day: the least that a change has to survive before it is merged. */
export const shortSchedule = (random: Random): readonly PlannedFault[] =>
  (
    [
      { kind: 'answers', on: 'whatsapp', fault: random.oneOf(['late', 'lose'] as const), forMs: 2_000 },
      { kind: 'cut', on: 'database' },
      { kind: 'kill', on: 'worker-1' },
    ] as const
  ).map((fault, index) => ({ day: 0, afterMs: 500 * index, fault }));
