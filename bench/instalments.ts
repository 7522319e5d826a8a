/**
 * `node bench/instalments.ts` measures how fast the debtors of 1,000 agreements are told of an instalment that is due for
 * all of them at once. The goal is the pace of first contacts (`CONTACTS_PER_SECOND`), which no notice may exceed either
 * for the sake of the senders. The contacts of a campaign of as many debts are measured before, in the same run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { addDays, localDate } from '../src/kernel/calendar.ts';
import { startCampaignsApp, type TestClient } from '../testing/campaigns-app.ts';
import { debtInput } from '../testing/debts.ts';
import { OFFERS_POLICY } from '../testing/offers-policy.ts';
import { startEngineHarness } from './support/engine-harness.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';

const AGREEMENTS = Number(process.argv[2] ?? sized(1_000, 30));
const AT_ONCE = 8;

const harness = await startEngineHarness();
const app = await startCampaignsApp({
  roles: ['api', 'worker', 'relay'],
  database: { url: harness.databaseUrl, name: 'postgres', drop: async () => undefined },
});

/** Returns the seconds until so many messages of a purpose have been sent since `start`. */
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
  // The debts rest while the acceptances are recorded, so that all notices are due together.
  await client.call('POST', `/api/campaigns/${campaignId}/pause`);
  const ids: string[] = (
    await app.query<{ id: string }>('select id from debts where campaign_id = $1', [campaignId])
  ).map(({ id }) => id);
  await inTurns(ids, async (id) => {
    const { items } = (await client.call('GET', `/api/debts/${id}/offers`)).body;
    await client.call('POST', `/api/debts/${id}/offers/${items[0].id}/accept`, {});
  });
  const resumed = performance.now();
  await client.call('POST', `/api/campaigns/${campaignId}/resume`);
  const notices = await secondsUntil(client, 'agreement', resumed);
  report(
    `${AGREEMENTS} instalments: told in ${notices.toFixed(1)} s; ${AGREEMENTS} first contacts took ${contacts.toFixed(1)} s`,
    {
      name: 'notices of instalments against first contacts',
      value: notices / contacts,
      unit: '× the time of contacts',
      better: 'less',
      goal: { of: 'value', limit: 1 },
    },
  );
} finally {
  await app.close();
  await harness.stop();
}
