import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGateway } from '../../src/platform/temporal/gateway.ts';
import type { FactSources } from '../../testing/checker/load-facts.ts';
import { writeEntry } from '../../testing/checker/log.ts';
import { type Stack, startStack } from '../stack/stack.ts';
import { createRandom } from '../support/random.ts';
import { type Day, dayAfter, daysOfSequence, dueDatesOf, MAX_CONTACTS } from './days.ts';
import { mountSmallDisk, type SmallDisk } from './disk.ts';
import { createInjector } from './inject.ts';
import { makePeople } from './people.ts';
import { describeFault, makeSchedule, type PlannedFault, shortSchedule } from './schedule.ts';
import { setUpClients } from './set-up.ts';
import { wakeOverdue } from './wake-overdue.ts';
import { createWatch } from './watch.ts';
import { startWorld, type World } from './world/start-world.ts';

export interface RunPlan {
  readonly folder: string;
  readonly seed: number;
  readonly debts: number;
  /** One day, one process of each kind and three faults, for CI. */
  readonly short: boolean;
  /** How many contacts of the sequence are played; the campaign is over only after all. */
  readonly contacts: number;
  readonly say: (line: string) => void;
  /** Ends everything that runs, also in the middle of the campaign. */
  readonly signal?: AbortSignal;
}

export interface FinishedRun {
  readonly sources: Required<Pick<FactSources, 'databaseUrl' | 'temporalAddress' | 'logFile'>>;
  readonly injected: number;
  /** What was still to be done when a day ended without getting quiet. */
  readonly unfinished: readonly string[];
  stop(): Promise<void>;
}

const DAY = 24 * 3_600_000;
const ENGINE_DEADLINE_MS = 10_000;
/** A person with debts of two clients is contacted for each of them in turn, so that the last one may be weeks behind. */
const MAX_EXTRA_DAYS = 40;
/** Workers need some seconds after a step of the clock. Faults before the first contact would find nothing to break. */
const FIRST_CONTACT_WITHIN_MS = 30_000;
/** A worker that was killed while it posted holds its deliveries for two minutes. */
const EVENTS_WITHIN_MS = 180_000;

const namesOf = (short: boolean): readonly string[] =>
  short
    ? ['postgres', 'temporal', 'worker-1', 'relay-1', 'api-1']
    : ['postgres', 'temporal', 'worker-1', 'worker-2', 'relay-1', 'api-1', 'api-2'];

const local = (at: number): string => `${new Date(at - 3 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ')}`;

/** Plays a campaign day by day under the faults of the seed, and leaves everything running for the checker. */
export async function playCampaign({
  folder,
  seed,
  debts,
  short,
  contacts,
  say,
  signal,
}: RunPlan): Promise<FinishedRun> {
  const random = createRandom(seed);
  const began = Date.now();
  const logFile = join(folder, 'outside.jsonl');
  const people = makePeople(debts, random);
  const days = daysOfSequence(began, short ? 1 : contacts);
  const disk: SmallDisk | null = short ? null : mountSmallDisk(join(folder, 'disk'));
  if (!short && disk === null) say('This process may not mount a disk: the full disk is left out.');
  const schedule = short
    ? shortSchedule(random)
    : makeSchedule({ random, days, processes: namesOf(short), withFullDisk: disk !== null });
  sayPlan(say, { days, schedule });

  let offsetMs = days[0]!.at - Date.now();
  const now = (): number => Date.now() + offsetMs;
  const stops: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).toReversed()) await one();
  };
  signal?.addEventListener('abort', () => void stop());
  if (disk !== null) stops.push(disk.unmount);
  try {
    const world = await startWorld(folder, { seed, people, logFile });
    stops.push(world.stop);
    writeEntry(logFile, { kind: 'clock', offsetMs });
    await world.tell({ kind: 'clock', offsetMs });
    const stack = await startStack({
      folder: join(folder, 'stack'),
      ...(disk === null ? {} : { databaseFolder: disk.folder }),
      ...(short ? {} : { apis: 2, workers: 2 }),
      env: async () => environmentOf(world),
      changingEnv: () => ({ CLOCK_OFFSET: `${Math.round(offsetMs)}ms` }),
    });
    stops.push(stack.stop);
    const { url, databaseUrl } = stack;
    const clients = await setUpClients({ url, databaseUrl, world, people, dueDates: dueDatesOf(days, began), logFile });
    const watch = createWatch(databaseUrl, world);
    const gateway = createGateway({
      address: stack.temporalAddress,
      namespace: 'default',
      taskQueue: 'quita',
      deadlineMs: ENGINE_DEADLINE_MS,
    });
    stops.push(() => gateway.close());

    const setClock = async (next: number): Promise<void> => {
      offsetMs = next;
      await killProducts(stack);
      // No process with the clock before runs any more, and none with the new one runs yet.
      writeEntry(logFile, { kind: 'clock', offsetMs });
      await world.tell({ kind: 'clock', offsetMs });
      for (const one of stack.products) await one.ready();
    };
    const stepClock = (byMs: number): Promise<void> => setClock(offsetMs + byMs);
    const injector = createInjector({ stack, world, disk, logFile, stepClock });
    const unfinished: string[] = [];

    const firstContact = async (before: number): Promise<void> => {
      const deadline = Date.now() + FIRST_CONTACT_WITHIN_MS;
      while (Date.now() < deadline && (await watch.contacts()) <= before) await sleep(250);
    };

    const play = async (day: Day, faults: readonly PlannedFault[], first: boolean): Promise<void> => {
      const before = await watch.contacts();
      if (first) {
        for (const { call, campaignId } of clients) await call('POST', `/api/campaigns/${campaignId}/launch`);
      } else {
        await setClock(day.at - Date.now());
        await wakeOverdue(gateway, clients);
      }
      if (faults.length > 0) await firstContact(before);
      const start = Date.now();
      for (const { afterMs, fault } of faults) {
        await sleep(Math.max(0, start + afterMs - Date.now()));
        await injector.inject(fault);
      }
      if (faults.length > 0 || !day.open) await wakeOverdue(gateway, clients);
      const left = await watch.untilQuiet(day.open ? 90_000 : 30_000, now);
      const { live } = await watch.live();
      say(
        `${local(day.at)}  ${day.name}: ${live} debts and agreements live${left === null ? '' : `, not finished: ${left}`}`,
      );
      if (left !== null) unfinished.push(`${day.name}: ${left}`);
    };

    for (const [index, day] of days.entries()) {
      await play(
        day,
        schedule.filter((one) => one.day === index),
        index === 0,
      );
    }
    if (!short && contacts === MAX_CONTACTS) {
      for (let extra = 0, day = days.at(-1)!; extra < MAX_EXTRA_DAYS; extra += 1) {
        const { live, next } = await watch.live();
        if (live === 0) break;
        day = dayAfter(Math.max(day.at, (next?.getTime() ?? 0) - DAY));
        await play(day, [], false);
      }
      writeEntry(logFile, { kind: 'campaign_over' });
    }
    if (!short) {
      // A receiver that failed is asked again after hours, so a day passes for it.
      await setClock(offsetMs + DAY);
      await wakeOverdue(gateway, clients);
      const left = await watch.untilQuiet(60_000, now);
      if (left !== null) unfinished.push(`the end: ${left}`);
    }
    await watch.untilEventsAreDelivered(EVENTS_WITHIN_MS);
    return {
      sources: { databaseUrl: stack.databaseUrl, temporalAddress: stack.temporalAddress, logFile },
      injected: injector.injected(),
      unfinished,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const environmentOf = (world: World): Readonly<Record<string, string>> => ({
  PAYMENT_PROVIDER: 'mercadopago,pix',
  MERCADOPAGO_BASE_URL: world.mercadopagoUrl,
  MESSAGING_CHANNEL: 'whatsapp',
  WHATSAPP_BASE_URL: world.whatsappUrl,
  WHATSAPP_VERIFY_TOKEN: 'verify-token',
});

async function killProducts({ products }: Stack): Promise<void> {
  const before = products.map((one) => one.pid());
  for (const one of products) one.signal('SIGKILL');
  while (products.some((one, index) => one.pid() !== undefined && one.pid() === before[index])) await sleep(10);
}

function sayPlan(
  say: (line: string) => void,
  { days, schedule }: { readonly days: readonly Day[]; readonly schedule: readonly PlannedFault[] },
): void {
  for (const [index, day] of days.entries()) {
    say(`day ${index}: ${local(day.at)} in São Paulo, ${day.name}`);
    for (const { afterMs, fault } of schedule.filter((one) => one.day === index))
      say(`  after ${afterMs / 1_000} s: ${describeFault(fault)}`);
  }
}
