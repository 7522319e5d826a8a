/**
 * `node bench/offers.ts` makes the offers to persons with 20 debts, as the API and the debtor's page do. It reads what
 * decides about them from PostgreSQL and computes them, computes them alone, stores them with the entries on the timeline
 * of each debt, and reads them again while they stand. What is owed of each debt counts by the Taxa Legal and the IPCA. The
 * goal is 20 ms for a person, for reading and computing and for reading again; beside it is an empty transaction.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDays, localDate } from '../src/kernel/calendar.ts';
import { offeredDebts } from '../src/modules/agreements/rules/offered-debts.ts';
import { makeOffers } from '../src/modules/agreements/rules/offers.ts';
import { contextOf, readOffers } from '../src/modules/agreements/use-cases/offers.ts';
import {
  debtToday,
  type PersonOfOffers,
  personOfOffers,
} from '../src/modules/agreements/use-cases/person-of-offers.ts';
import { loadPolicy } from '../src/modules/policy/use-cases/load-policy.ts';
import { importIndices } from '../src/modules/terms/use-cases/import-indices.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/runtime/embedded-postgres.ts';
import { createPersonKeys } from '../src/platform/shared/person-keys.ts';
import { cpfOf, debtInput } from '../testing/debts.ts';
import { OFFERS_POLICY } from '../testing/offers-policy.ts';
import { runInTransaction } from '../testing/raw-sql.ts';
import { startBenchApp } from './support/bench-app.ts';
import { sized } from './support/quick.ts';
import { type Figure, report } from './support/report.ts';
import { BENCH_SECRETS } from './support/secrets.ts';

const PERSONS = sized(200, 30);
/** They are not counted, because the first calls of a process compile it. */
const WARM_UP = 20;
const DEBTS = 20;
const goal = { of: 'value', limit: 20 } as const;
const DAYS_APART = 30;

const today = localDate(Date.now(), -3);
const months = Array.from({ length: 36 }, (_, ago) => addDays(`${today.slice(0, 7)}-15`, -30 * ago).slice(0, 7));
const INDICES = [...new Set(months)].flatMap((month) => [`29543,${month},0.8`, `433,${month},0.4`]);
const TERMS = {
  effectiveFrom: '2020-01-01',
  finePercent: 2,
  interest: { kind: 'legal', percent: null },
  correction: 'ipca',
  graceDays: 0,
  businessDayShift: true,
  clause: 'Contrato, cláusula 7',
};
const debtsOf = (person: number) =>
  Array.from({ length: DEBTS }, (_, at) =>
    debtInput(person * DEBTS + at, {
      debtorCpf: cpfOf(300_000_000 + person),
      debtorPhone: `+55119${80_000_000 + 10 * person}`,
      dueDate: addDays(today, -DAYS_APART * (at + 1)),
    }),
  );

const at = (sorted: readonly number[], part: number): number => sorted[Math.floor((sorted.length - 1) * part)]!;

/** Measures some work for each person, one after the other, and reports it. */
async function measure(
  name: string,
  persons: readonly string[],
  work: (debtId: string) => Promise<unknown>,
  more: Pick<Figure, 'goal' | 'baseline'> = {},
): Promise<number> {
  const times: number[] = [];
  const cpu = process.threadCpuUsage();
  for (const debtId of persons) {
    const start = performance.now();
    await work(debtId);
    times.push(performance.now() - start);
  }
  const { user, system } = process.threadCpuUsage(cpu);
  const sorted = times.slice(WARM_UP).sort((one, other) => one - other);
  const own = (user + system) / 1_000 / persons.length;
  const goal = more.goal === undefined ? '' : ` (goal ${more.goal.limit})`;
  report(
    `${name}: median ${at(sorted, 0.5).toFixed(1)} ms, p95 ${at(sorted, 0.95).toFixed(1)} ms${goal}; ${own.toFixed(1)} ms CPU of this process`,
    { name, value: at(sorted, 0.5), unit: 'ms', better: 'less', ...more },
  );
  return at(sorted, 0.5);
}

const folder = mkdtempSync(join(tmpdir(), 'quita-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
await migrate(postgres.url);
const app = await startBenchApp(postgres.url);
const db = await openDatabase({ url: postgres.url, role: 'quita_worker' });
const deps = {
  db,
  now: () => new Date(),
  policy: loadPolicy(),
  personKeys: createPersonKeys(BENCH_SECRETS['PERSON_SECRET']!),
};
try {
  await importIndices(deps)(['series,month,value', ...INDICES].join('\n'));
  const client = await app.newClient();
  const must = async (call: ReturnType<typeof client.call>) => {
    const { status, body } = await call;
    if (status >= 300) throw new Error(`Not answered: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  await must(client.call('PUT', '/api/terms', TERMS));
  await must(client.call('PUT', '/api/offers/policy', OFFERS_POLICY));
  const campaignId = await client.createCampaign();
  for (let person = 0; person < PERSONS; person += 10) {
    const some = Array.from({ length: Math.min(10, PERSONS - person) }, (_, n) => debtsOf(person + n)).flat();
    const { imported, errors } = await must(client.importJson(campaignId, some));
    if (imported !== some.length) throw new Error(`not imported: ${JSON.stringify(errors).slice(0, 300)}`);
  }
  await must(client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`));
  const tenant = db.tenant(client.id);
  const rows = await tenant.transactional((tx) =>
    runInTransaction<{ id: string; debts: number }>(
      tx,
      'select min(id::text) as id, count(*)::int as debts from debts where campaign_id = $1 group by debtor_tax_id',
      [campaignId],
    ),
  );
  const persons = rows.map(({ id }) => id);
  if (persons.length !== PERSONS || rows.some(({ debts }) => debts !== DEBTS)) throw new Error('debts are missing');

  const read = (debtId: string) => readOffers(deps)({ clientId: client.id, debtId });
  const check = async (debtId: string) => {
    const { items } = await read(debtId);
    if (items[0]?.debtIds.length !== DEBTS) throw new Error('an offer is not about all debts');
  };
  const transaction = await measure('an empty transaction', persons, () => tenant.transactional(async () => {}));
  const baseline = { name: 'an empty transaction', value: transaction };
  const compute = ({ policy, debts, debt, ...person }: PersonOfOffers) => {
    const offered = offeredDebts(policy, debts, debt.id);
    if (offered.reason !== null || policy === null) throw new Error('nothing is offered');
    const offers = makeOffers(contextOf({ ...person, policy, debts, debt }, policy, offered.debts));
    if (offers.length !== 3 || offers[0]!.debts.length !== DEBTS) throw new Error('an offer is missing');
  };
  const readPerson = (debtId: string) =>
    tenant.transactional((tx) => personOfOffers(tx, deps, { clientId: client.id, debtId }));
  await measure(
    `offers of ${DEBTS} debts, read and computed`,
    persons,
    async (debtId) => compute(await readPerson(debtId)),
    { goal, baseline },
  );
  const known = await readPerson(persons[0]!);
  await measure(
    `offers of ${DEBTS} debts, computed`,
    persons,
    async () => {
      const now = Date.now();
      const debts = known.rows.map((row, importedAs) =>
        // Each row that is read brings values of its own.
        debtToday(deps, { ...row, indices: { ...row.indices } }, { at: now, optedOut: false, importedAs }),
      );
      compute({ ...known, debts });
    },
    { goal },
  );
  await measure(`offers of ${DEBTS} debts, read, computed and stored`, persons, check, { baseline });
  await measure(`offers of ${DEBTS} debts that stand, read again`, persons, check, { goal, baseline });
} finally {
  await db.close();
  await app.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
