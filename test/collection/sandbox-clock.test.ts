import { expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';

const DAY = 86_400_000;
/** Nobody acts for this phone. */
const SILENT = '+5511987659999';
/** Without a held clock another contact is made within this time. */
const LONG_ENOUGH_MS = 4_000;

let debtId: string;
const app = await opened(startCampaignsApp({ roles: ['api', 'worker', 'relay'], env: { SANDBOX_MAX_WAIT: '1s' } }));
const client = await app.newClient();
const campaignId: string = await client.createCampaign();
await client.importJson(campaignId, [{ ...debtInput(1), debtorPhone: SILENT }]);

const clock = async () => (await client.call('GET', `/api/sandbox/campaigns/${campaignId}/clock`)).body.state;
const command = (name: string) => client.call('POST', `/api/sandbox/campaigns/${campaignId}/clock`, { command: name });
const debt = async () => (await client.call('GET', `/api/debts/${debtId}`)).body;
const ownTime = async () => Date.parse((await debt()).clock);
const sentMessages = async (): Promise<number> =>
  (await client.call('GET', `/api/sandbox/outbox?debtId=${debtId}`)).body.items.length;

it('stands still while it is held, goes on day by day, and runs when it is released', async () => {
  expect((await command('hold')).body.code).toBe('campaign_state');
  expect(await clock()).toBe('running');
  await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
  const { items } = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body;
  debtId = items[0].id;
  await until('the first message', async () => (await sentMessages()) > 0);

  expect((await command('hold')).status).toBe(202);
  expect(await clock()).toBe('held');
  // The command reaches the collection by a batch of signals, which takes longer on a busy machine.
  const { held, messages } = await until('the clock stands still', async () => {
    const [time, count, begun] = [await ownTime(), await sentMessages(), Date.now()];
    await new Promise((resolve) => setTimeout(resolve, LONG_ENOUGH_MS));
    const isStill = (await sentMessages()) === count && (await ownTime()) - time < 3 * (Date.now() - begun);
    return isStill && { held: time, messages: count };
  });
  expect(messages).toBeLessThan(6);
  expect((await debt()).status).toBe('IN_COLLECTION');

  for (const day of [1, 2, 3]) {
    expect((await command('passDay')).status).toBe(202);
    await until('a day has passed', async () => (await ownTime()) > held + day * DAY);
    expect(await ownTime()).toBeLessThan(held + day * DAY + 60_000);
  }
  expect(await sentMessages()).toBeLessThanOrEqual(messages + 3);

  // There is time to answer, and the answer comes without another day.
  const before = await sentMessages();
  await client.call('POST', `/api/sandbox/debts/${debtId}/messages`, { text: 'Que dívida é essa? Qual o valor?' });
  await until('the answer', async () => (await sentMessages()) > before);
  expect(await ownTime()).toBeLessThan(held + 4 * DAY);

  expect((await command('release')).status).toBe(202);
  expect(await clock()).toBe('running');
  await until('the end', async () => (await debt()).status === 'EXHAUSTED', { timeoutMs: 60_000 });
});

it('belongs to its client, and takes known commands alone', async () => {
  const stranger = await app.newClient();
  for (const [method, body] of [['GET'], ['POST', { command: 'hold' }]] as const) {
    const answer = await stranger.call(method, `/api/sandbox/campaigns/${campaignId}/clock`, body);
    expect(answer.status).toBe(404);
  }
  expect((await command('forward')).status).toBe(400);
});
