import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNumbers } from '../../scripts/random-numbers.ts';
import { chooserOf } from '../support/random.ts';
import { letArrive } from './arrivals.ts';
import { findCapacity, type Step } from './capacity.ts';
import { type EndState, readSettlement, type Settlement, waitForEnd } from './end-state.ts';
import { createTraffic, type Kind, MIX } from './mix.ts';
import { type NodeSample, watchMetrics } from './node-metrics.ts';
import { People } from './people.ts';
import { type Sample, watchProcesses } from './processes.ts';
import type { KindSummary, Minute } from './recorder.ts';
import { startWorld } from './world.ts';

export interface LoadPlan {
  readonly folder: string;
  readonly seconds: number;
  readonly seed: number;
  /** Debts that are contacted before the first call, so that there are debtors, and that caches are full. */
  readonly prepared: number;
  /** Calls a second; without it half of the capacity that a ramp finds. */
  readonly rate: number | undefined;
  readonly sampleEveryMs: number;
  readonly drainWithinMs: number;
  readonly tell: (line: string) => void;
}

export interface LoadSeen {
  readonly rate: number;
  readonly capacity: number | null;
  readonly steps: readonly Step[];
  readonly seconds: number;
  readonly count: number;
  readonly errors: readonly { readonly what: string; readonly count: number }[];
  readonly kinds: readonly KindSummary[];
  readonly minutes: readonly Minute[];
  readonly processes: ReadonlyMap<string, readonly Sample[]>;
  /** The processes when all is done and the callers have left. */
  readonly after: ReadonlyMap<string, Sample>;
  readonly nodes: ReadonlyMap<string, readonly NodeSample[]>;
  readonly deaths: Readonly<Record<string, number>>;
  readonly settlement: Settlement;
  readonly payments: number;
  readonly messages: number;
  readonly contacts: number;
  readonly end: EndState;
  /** The delay of the load's own event loop: what the callers' latencies contain of it. */
  readonly ownDelayMs: { readonly p99: number; readonly longest: number };
}

/** The first contacts are spread by `contactsPerSecond`, and the servers begin at the same time. */
const PREPARED_WITHIN_MS = 300_000;
const SHARE_PREPARED = 0.9;
const LOOP_RESOLUTION_MS = 10;
const CALLERS_LEAVE_MS = 1_000;
const COLLECTION_MESSAGES = `
  select count(*)::int as count from messages where direction = 'out' and purpose = 'collection'`;

export async function runLoad(plan: LoadPlan): Promise<LoadSeen> {
  const { folder, seconds, seed, prepared, sampleEveryMs, tell } = plan;
  const random = createNumbers(seed);
  const world = await startWorld(folder);
  const people = new People(world.owner);
  try {
    const traffic = createTraffic(world, people, random);
    tell(`PostgreSQL, Temporal, API, worker and relay run; ${prepared} debts are launched first`);
    await traffic.prepare(prepared);
    const deadline = Date.now() + PREPARED_WITHIN_MS;
    while (people.waiting < prepared * SHARE_PREPARED) {
      if (Date.now() > deadline) throw new Error(`Only ${people.waiting} of ${prepared} debts were contacted`);
      await sleep(500);
      await people.ask();
    }
    people.start();
    const steps: Step[] = [];
    const capacity =
      plan.rate === undefined
        ? await findCapacity(world, traffic, random, (step) => {
            steps.push(step);
            tell(
              `  ${step.rate} calls a second: p99 ${step.p99.toFixed(0)} ms, ${step.errors} errors, oldest work ${step.oldestWork.toFixed(1)} s: ${step.carried ? 'carried' : 'not carried'}`,
            );
          })
        : null;
    const rate = plan.rate ?? (capacity ?? 0) / 2;
    if (rate <= 0) throw new Error('The service did not carry the lowest rate.');
    tell(`${rate} calls a second for ${seconds} s (seed ${seed})`);

    world.recorder.restart();
    const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
    delay.enable();
    const processes = watchProcesses(world.stack.processes, sampleEveryMs);
    const nodes = watchMetrics(
      world.stack.products.map(({ name, metricsUrl }) => ({ name, url: metricsUrl })),
      5 * sampleEveryMs,
    );
    const choose = chooserOf<Kind>(MIX, random);
    await letArrive({ rate, seconds, random, arrive: (at) => traffic.arrive(choose(), at) });
    processes.stop();
    nodes.stop();
    delay.disable();
    await traffic.settle();
    await people.stop();
    if (people.failure !== undefined) throw people.failure;
    const paid = people.payers.map(({ charge }) => charge);
    const end = await waitForEnd(world.owner, paid, plan.drainWithinMs);
    const settlement = await readSettlement(world.owner, seconds + plan.drainWithinMs / 1_000);
    const { rows } = await world.owner.query<{ count: number }>(COLLECTION_MESSAGES);
    world.caller.close();
    await sleep(CALLERS_LEAVE_MS);
    return {
      rate,
      capacity,
      steps,
      seconds,
      count: world.recorder.count,
      errors: world.recorder.errors(),
      kinds: world.recorder.kinds(),
      minutes: world.recorder.minutes(seconds),
      processes: processes.samples,
      after: processes.look(),
      nodes: nodes.samples,
      deaths: Object.fromEntries(world.stack.products.map((one) => [one.name, one.deaths()])),
      settlement,
      payments: paid.length,
      messages: traffic.messages,
      contacts: rows[0]?.count ?? 0,
      end,
      ownDelayMs: {
        p99: delay.percentile(99) / 1e6 - LOOP_RESOLUTION_MS,
        longest: delay.max / 1e6 - LOOP_RESOLUTION_MS,
      },
    };
  } finally {
    await people.stop();
    await world.stop();
  }
}
