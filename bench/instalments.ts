/**
 * `node bench/instalments.ts` lets 1,000 agreements have an instalment that is due on one morning, and measures how fast
 * their debtors are told, beside the first contacts of a campaign of as many debts in the same run. It fails when a debtor
 * is told twice or outside of the hours of the law. The goals: not slower than first contacts, and by the debts' clocks
 * never more in one second than their pace (`CONTACTS_PER_SECOND`), for the sake of the senders.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { addDays, localDate } from '../src/kernel/calendar.ts';
import { type Answer, startCampaignsApp, type TestClient } from '../testing/campaigns-app.ts';
import { debtInput } from '../testing/debts.ts';
import { OFFERS_POLICY } from '../testing/offers-policy.ts';
import { startEngineHarness } from './support/engine-harness.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';

const AGREEMENTS = Number(process.argv[2] ?? sized(1_000, 30));
const AT_ONCE = 8;
const ATTEMPTS = 60;
const PACE = 10;

const harness = await startEngineHarness();
const app = await startCampaignsApp({
  roles: ['api', 'worker', 'relay'],
  // On a busy machine the run takes longer than a token is usually valid.
  env: { ACCESS_TOKEN_TTL: '12h' },
  database: { url: harness.databaseUrl, name: 'postgres', drop: async () => undefined },
});

/** Returns the seconds until so many debtors have been told since `start`. */
async function secondsUntil(client: TestClient, purpose: string, start: number): Promise<number> {
  for (;;) {
    const [row] = await app.query<{ told: number }>(
      `select count(distinct debt_id)::int as told from messages
       where client_id = $1 and purpose = $2 and delivery in ('sent', 'delivered', 'read')`,
      [client.id, purpose],
    );
    if ((row?.told ?? 0) >= AGREEMENTS) return (performance.now() - start) / 1000;
    await sleep(200);
  }
}

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
    }),
  );
}

/** Asks again, as a client does, when the service says that it is too busy for the moment. */
async function answered(call: () => Promise<Answer>): Promise<Answer['body']> {
  for (let attempt = 1; ; attempt += 1) {
    const { status, body } = await call();
    if (status < 300) return body;
    if (status !== 503 || attempt === ATTEMPTS) throw new Error(`Not answered: ${status} ${JSON.stringify(body)}`);
    await sleep(1_000);
  }
}

interface Morning {
  readonly twice: number;
  readonly outside: number;
  readonly mostInSecond: number;
  readonly mostInMinute: number;
  readonly from: string;
  readonly to: string;
}

/**
 * How the first notice of each agreement lies on its morning. Each sandbox debt has a clock of its own and so a date of its
 * own, and its moment on a morning is the same on each date: together they are one morning. Working days are from 8 to 20
 * and Saturdays to 14.
 */
async function morningOf(client: TestClient): Promise<Morning> {
  const [row] = await app.query<Morning>(
    `with told as (
       select debt_id, at at time zone 'America/Sao_Paulo' as local from messages
       where client_id = $1 and purpose = 'agreement' and direction = 'out' and delivery is distinct from 'failed'
     ), first as (select min(local)::time as local from told group by debt_id)
     select min(local)::text as "from", max(local)::text as "to",
       (select count(*)::int from (select from told group by debt_id, local::date having count(*) > 1) t) as twice,
       (select count(*)::int from told where extract(isodow from local) = 7 or local::time < '08:00'
         or local::time >= case when extract(isodow from local) = 6 then time '14:00' else time '20:00' end) as outside,
       (select max(n)::int from (select count(*) as n from first group by date_trunc('second', local)) s) as "mostInSecond",
       (select max(n)::int from (select count(*) as n from first group by date_trunc('minute', local)) m) as "mostInMinute"
     from first`,
    [client.id],
  );
  if (row === undefined) throw new Error('Nobody was told');
  return row;
}

try {
  const client = await app.newClient();
  await client.call('PUT', '/api/offers/policy', OFFERS_POLICY);
  const campaignId = await client.createCampaign();
  const dueDate = addDays(localDate(Date.now(), -3), -100);
  const debts = Array.from({ length: AGREEMENTS }, (_, n) =>
    debtInput(n + 1, { dueDate, debtorPhone: `+55119${String(80_000_000 + 100 * n)}` }),
  );
  await client.importJson(campaignId, debts);
  const launched = performance.now();
  await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
  const contacts = await secondsUntil(client, 'collection', launched);
  process.stdout.write(`${AGREEMENTS} first contacts took ${contacts.toFixed(1)} s\n`);
  // The debts rest while the acceptances are recorded, so that all notices are due together.
  await client.call('POST', `/api/campaigns/${campaignId}/pause`);
  const ids: string[] = (
    await app.query<{ id: string }>('select id from debts where campaign_id = $1', [campaignId])
  ).map(({ id }) => id);
  await inTurns(ids, async (id) => {
    const offers = await answered(() => client.call('GET', `/api/debts/${id}/offers`));
    await answered(() => client.call('POST', `/api/debts/${id}/offers/${offers.items[0].id}/accept`, {}));
  });
  process.stdout.write(`${AGREEMENTS} agreements are accepted\n`);
  const resumed = performance.now();
  await client.call('POST', `/api/campaigns/${campaignId}/resume`);
  const notices = await secondsUntil(client, 'agreement', resumed);
  const morning = await morningOf(client);
  const { twice, outside, mostInSecond, mostInMinute } = morning;
  report(
    `${AGREEMENTS} instalments: told in ${notices.toFixed(1)} s (${(AGREEMENTS / notices).toFixed(1)} a second); ${AGREEMENTS} first contacts took ${contacts.toFixed(1)} s`,
    {
      name: 'notices of instalments against first contacts',
      value: notices / contacts,
      unit: '× the time of contacts',
      better: 'less',
      goal: { of: 'value', limit: 1 },
    },
  );
  report(
    `by the clocks of the debts: from ${morning.from} to ${morning.to}, at most ${mostInSecond} in one second (goal: ${PACE}) and ${mostInMinute} in one minute`,
    {
      name: 'most notices of instalments in one second',
      value: mostInSecond,
      unit: 'notices',
      better: 'less',
      goal: { of: 'value', limit: PACE },
    },
  );
  if (twice > 0) throw new Error(`${twice} debtors were told twice on one day`);
  if (outside > 0) throw new Error(`${outside} notices left outside of the hours of the law`);
} finally {
  await app.close();
  await harness.stop();
}
