/**
 * `node bench/contacts.ts [debts] [rounds] [chain|chain-later]` measures contacts a second, from the start of the workflow
 * through charge, agent, gate and the sandbox's channel, against a bare workflow that runs an empty activity and waits,
 * in turns on the same servers. It shows the CPU time of each part. The goal is 0.7 of the bare rate. With `chain` it measures, in place of
 * the bare workflow, contacts whose entries get no line of evidence, and compares the CPU time of worker, PostgreSQL and
 * Temporal for a contact: the chain is to cost less than 3 % of it. Each contact is the first of its debt, which adopts
 * what was before; with `chain-later` the chains have begun before, as for every later contact. CPU time is compared and
 * not the rate, because a rate says as much about what else the machine does.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createGateway } from '../src/platform/temporal/gateway.ts';
import { cpfOf } from '../testing/debts.ts';
import { collectionWorkflowId } from '../workflows/ids.ts';
import { cpuSecondsOf } from './support/cpu.ts';
import { startEngineHarness } from './support/engine-harness.ts';
import { nextWednesday } from './support/next-wednesday.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';
import { startAll } from './support/start-all.ts';
import { startProcess } from './support/start-process.ts';

const DEBTS = Number(process.argv[2] ?? sized(400, 150));
const ROUNDS = Number(process.argv[3] ?? sized(4, 3));
const HAS_BEGUN = process.argv[4] === 'chain-later';
const AGAINST_CHAIN = process.argv[4] === 'chain' || HAS_BEGUN;
const HOUR = 3_600_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const DEBT = `
  insert into debts (id, client_id, campaign_id, position, debtor_name, debtor_phone, debtor_tax_id,
    original_amount_centavos, due_date, status, sandbox, score, scored_at, next_contact_at)
  select id, $1, $2, n, 'Maria ' || n, phone, cpf, 15075, current_date - 30, 'QUEUED', true, 65, now(), $6
  from unnest($3::uuid[], $4::text[], $5::text[]) with ordinality as row (id, phone, cpf, n)`;

const harness = await startEngineHarness();
const owner = new Client({ connectionString: harness.databaseUrl });
await owner.connect();
const gateway = createGateway({
  address: harness.address,
  namespace: 'default',
  taskQueue: 'quita',
  deadlineMs: 20_000,
});
// How far the service's clock is moved.
const offsetMs = nextWednesday() - Date.now();
const common = {
  BENCH_DATABASE_URL: harness.databaseUrl,
  BENCH_TEMPORAL_ADDRESS: harness.address,
  BENCH_ENV: JSON.stringify({ CLOCK_OFFSET: `${Math.round(offsetMs / 60_000)}m` }),
};
const here = (file: string): URL => new URL(`./support/${file}`, import.meta.url);
const parts = [
  await startProcess(here('service-process.ts'), { ...common, BENCH_ROLES: 'api,relay' }),
  await startProcess(here('service-process.ts'), { ...common, BENCH_ROLES: 'worker' }),
  await startProcess(here('bare-worker-process.ts'), common),
];
const [, worker, bareWorker] = parts;
let people = 0;

interface Measured {
  readonly perSecond: number;
  readonly cpuMs: Readonly<Record<'worker' | 'postgres' | 'temporal', number>>;
}

const cpuOf = () => ({
  worker: cpuSecondsOf(worker?.pid ?? 0) + cpuSecondsOf(bareWorker?.pid ?? 0),
  postgres: cpuSecondsOf(harness.pids().postgres),
  temporal: cpuSecondsOf(harness.pids().temporal),
});

async function measure(run: () => Promise<void>): Promise<Measured> {
  await owner.query('vacuum analyze');
  const before = cpuOf();
  const began = performance.now();
  await run();
  const seconds = (performance.now() - began) / 1_000;
  const after = cpuOf();
  const each = (part: keyof typeof before): number => ((after[part] - before[part]) * 1_000) / DEBTS;
  return {
    perSecond: DEBTS / seconds,
    cpuMs: { worker: each('worker'), postgres: each('postgres'), temporal: each('temporal') },
  };
}

async function contacts(): Promise<Measured> {
  const [clientId, campaignId] = [randomUUID(), randomUUID()];
  const ids = Array.from({ length: DEBTS }, () => randomUUID());
  const first = people;
  people += DEBTS;
  const now = Date.now() + offsetMs;
  await owner.query(
    `insert into clients (id, name, email, plan, status) values ($1, 'Bench', $2, 'GROWTH', 'ACTIVE')`,
    [clientId, `${clientId}@bench.com.br`],
  );
  await owner.query(
    `insert into campaigns (id, client_id, name, status, sandbox, launched_at) values ($1, $2, 'Bench', 'RUNNING', true, now())`,
    [campaignId, clientId],
  );
  await owner.query(DEBT, [
    clientId,
    campaignId,
    ids,
    ids.map((_, n) => `+55119${80_000_000 + ((first + n) * 10 + 9)}`),
    ids.map((_, n) => cpfOf(300_000_000 + first + n)),
    new Date(now),
  ]);
  if (HAS_BEGUN) {
    // Only the owner of the routines may call this one.
    await owner.query('set role quita_functions');
    await owner.query('select begin_evidence($1, id, 9223372036854775807) from unnest($2::uuid[]) as id', [
      clientId,
      ids,
    ]);
    await owner.query('reset role');
  }
  return measure(async () => {
    await startAll(DEBTS, (index) => {
      const debtId = ids[index]!;
      const input = { clientId, campaignId, debtId, sandbox: true, maxWaitMs: HOUR, offsetMs, firstAt: now };
      return gateway.start({ workflow: 'collect-debt', workflowId: collectionWorkflowId(debtId), input });
    });
    const deadline = Date.now() + 120_000;
    for (;;) {
      const { rows } = await owner.query<{ sent: number }>(
        `select count(*)::int as sent from messages
         where debt_id = any ($1::uuid[]) and purpose = 'collection' and delivery = 'sent'`,
        [ids],
      );
      if ((rows[0]?.sent ?? 0) >= DEBTS) return;
      if (Date.now() > deadline) throw new Error(`only ${rows[0]?.sent} of ${DEBTS} contacts were made`);
      await sleep(100);
    }
  });
}

const bare = (): Promise<Measured> =>
  measure(async () => {
    const ids = Array.from({ length: DEBTS }, () => `bare-${randomUUID()}`);
    await startAll(DEBTS, (index) =>
      harness.client.workflow.start('bareContact', { workflowId: ids[index]!, taskQueue: 'bare' }),
    );
    // The last ones started wait last, so that hardly any is asked twice.
    for (const id of ids.toReversed()) while (!(await harness.sleeps(id))) await sleep(20);
  });

async function withoutChain(): Promise<Measured> {
  await owner.query('alter table debt_events disable trigger debt_events_chained');
  try {
    return await contacts();
  } finally {
    await owner.query('alter table debt_events enable trigger debt_events_chained');
  }
}

const other = AGAINST_CHAIN
  ? { name: 'without the chain', run: withoutChain, goal: 1.03 }
  : { name: 'bare workflows', run: bare, goal: 0.7 };

const cpuOfAll = ({ cpuMs }: Measured): number => cpuMs.worker + cpuMs.postgres + cpuMs.temporal;
const show = (name: string, { perSecond, cpuMs }: Measured): void =>
  say(
    `${name}: ${perSecond.toFixed(1)} a second; CPU each: worker ${cpuMs.worker.toFixed(1)} ms, PostgreSQL ${cpuMs.postgres.toFixed(1)} ms, Temporal ${cpuMs.temporal.toFixed(1)} ms`,
  );
const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

try {
  await contacts();
  await other.run();
  const rates: Record<'contacts' | 'other', number[]> = { contacts: [], other: [] };
  const cpu: Record<'contacts' | 'other', number[]> = { contacts: [], other: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const runs = [
      async () => {
        const one = await contacts();
        rates.contacts.push(one.perSecond);
        cpu.contacts.push(cpuOfAll(one));
        show('contacts', one);
      },
      async () => {
        const one = await other.run();
        rates.other.push(one.perSecond);
        cpu.other.push(cpuOfAll(one));
        show(other.name, one);
      },
    ];
    for (const run of round % 2 === 0 ? runs : runs.toReversed()) await run();
  }
  const ratioOf = ({ contacts: ours, other: theirs }: typeof rates): number =>
    middle(ours.map((value, round) => value / theirs[round]!));
  const ratio = ratioOf(AGAINST_CHAIN ? cpu : rates);
  if (AGAINST_CHAIN) {
    report(
      `${middle(cpu.contacts).toFixed(1)} ms of CPU for a contact, ${other.name} ${middle(cpu.other).toFixed(1)}; median of the rounds ${ratio.toFixed(3)} (goal: ${other.goal})`,
      {
        name: 'CPU of a contact with its chain',
        value: middle(cpu.contacts),
        unit: 'ms',
        better: 'less',
        baseline: { name: other.name, value: middle(cpu.other) },
        ratio,
        goal: { of: 'ratio', limit: other.goal },
      },
    );
  } else {
    report(
      `${middle(rates.contacts).toFixed(1)} contacts a second, ${other.name} ${middle(rates.other).toFixed(1)}; median of the rounds ${ratio.toFixed(3)} (goal: ${other.goal})`,
      {
        name: 'contacts a second, end to end',
        value: middle(rates.contacts),
        unit: '/s',
        better: 'more',
        baseline: { name: other.name, value: middle(rates.other) },
        ratio,
        goal: { of: 'ratio', limit: other.goal },
      },
    );
  }
} finally {
  for (const one of parts) one.stop();
  await gateway.close();
  await owner.end();
  await harness.stop();
}
