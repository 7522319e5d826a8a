/**
 * `node bench/sandbox-campaign.ts` measures a sandbox campaign of 100 debts at the default wait. The goal is that all
 * have ended within a minute. With the arguments `100 one` they are the debts of one person.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startCampaignsApp } from '../testing/campaigns-app.ts';
import { debtInput } from '../testing/debts.ts';
import { startEngineHarness } from './support/engine-harness.ts';
import { sized } from './support/quick.ts';
import { report } from './support/report.ts';

const DEBTS = Number(process.argv[2] ?? sized(100, 30));
const onePerson = process.argv[3] === 'one';

const harness = await startEngineHarness();
const app = await startCampaignsApp({
  roles: ['api', 'worker', 'relay'],
  database: { url: harness.databaseUrl, name: 'postgres', drop: async () => undefined },
});
try {
  const client = await app.newClient();
  const campaignId = await client.createCampaign();
  const person = onePerson ? { debtorCpf: debtInput(1).debtorCpf, debtorPhone: '+5511980001000' } : {};
  const silent = (n: number) => ({ debtorPhone: `+55119${80_000_000 + 10_000 * (n % 1_000)}` });
  await client.importJson(
    campaignId,
    Array.from({ length: DEBTS }, (_, n) => debtInput(n + 1, { ...silent(n), ...person })),
  );
  const start = performance.now();
  await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
  for (let status = 'RUNNING'; status !== 'COMPLETED'; ) {
    await sleep(200);
    ({ status } = (await client.call('GET', `/api/campaigns/${campaignId}`)).body);
  }
  const seconds = (performance.now() - start) / 1000;
  const { contacts } = (await client.call('GET', `/api/campaigns/${campaignId}/statistics`)).body;
  report(
    `${DEBTS} debts${onePerson ? ' of one person' : ''}: ended after ${seconds.toFixed(1)} s, ${contacts.sent} contacts, ${contacts.blocked} refusals (goal: 60 s)`,
    { name: 'sandbox campaign', value: seconds, unit: 's', better: 'less', goal: { of: 'value', limit: 60 } },
  );
} finally {
  await app.close();
  await harness.stop();
}
