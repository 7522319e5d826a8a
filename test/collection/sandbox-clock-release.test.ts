import { expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { cpfOf, type DebtInput, debtInput } from '../../testing/debts.ts';
import { collector, sent, startHeldApp } from '../../testing/engine-harness.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';

/** In this time a free clock goes on by weeks. */
const LONG_ENOUGH_MS = 5_000;

const app = await opened(startHeldApp());
const client = collector(await app.newClient());
await client.call('PUT', '/api/offers/policy', OFFERS_POLICY);
let people = 0;

/** The overdue debt of a person for whom nobody answers. */
function silentDebt(): DebtInput {
  people += 1;
  return debtInput(7_000 + people, {
    debtorCpf: cpfOf(327_000_000 + people),
    debtorPhone: `+551198765${9_100 + people}`,
    dueDate: addDays(localDate(Date.now(), -3), -100),
    originalAmount: 1000,
  });
}

/** Two debts of one campaign, each contacted once; then the clocks are held. */
async function twoHeld() {
  const { debts, campaignId } = await client.launch([silentDebt(), silentDebt()]);
  const [a, b] = debts.map(({ id }) => id) as [string, string];
  for (const id of [a, b]) await client.reaches(id, 'contacted', (one) => sent(one, 'collection').length > 0);
  const command = async (name: string) =>
    expect((await client.call('POST', `/api/sandbox/campaigns/${campaignId}/clock`, { command: name })).status).toBe(
      202,
    );
  await command('hold');
  return { a, b, campaignId, command };
}

async function agree(debtId: string): Promise<void> {
  for (const text of ['quero negociar', 'aceito a 2']) {
    const before = sent(await client.debt(debtId), 'reply').length;
    await client.say(debtId, text);
    await client.reaches(debtId, text, (one) => sent(one, 'reply').length > before);
  }
  await client.reaches(debtId, 'agreed', ({ status }) => status === 'AGREEMENT');
}

const hasEnded = ({ status }: { readonly status: string }) => status === 'EXHAUSTED';

it('reaches a debt that was disputed while the clocks were held, so that it is collected again', async () => {
  const { a, b, command } = await twoHeld();
  await client.say(b, 'não reconheço essa dívida');
  await client.reaches(b, 'disputed', ({ status }) => status === 'DISPUTED');
  await command('release');
  const note = 'Conferi o contrato com a pessoa.';
  expect((await client.call('POST', `/api/debts/${b}/resume`, { note })).status).toBe(200);
  for (const id of [a, b]) await client.reaches(id, 'the end', hasEnded, 45_000);
}, 150_000);

it('reaches a debt whose agreement began while the clocks were held, so that it is collected after the breach', async () => {
  const { b, command } = await twoHeld();
  await agree(b);
  await command('release');
  // Nobody pays, so the agreement is broken.
  await client.reaches(b, 'broken', ({ status }) => status === 'IN_COLLECTION', 60_000);
  await client.reaches(b, 'the end', hasEnded, 45_000);
}, 200_000);

it('comes after a hold that reaches the debt of an agreement too, so that it stands still when that is cancelled', async () => {
  const { b, command } = await twoHeld();
  await agree(b);
  await command('release');
  await command('hold');
  const { items } = (await client.call('GET', `/api/agreements?debtId=${b}`)).body;
  const cancelled = await client.call('POST', `/api/agreements/${items[0].id}/cancel`, { reason: 'A pessoa pediu.' });
  expect(cancelled.status).toBe(200);
  await client.reaches(b, 'collected', ({ status }) => status === 'IN_COLLECTION');
  const begun = Date.parse((await client.debt(b)).clock ?? '');
  await new Promise((resolve) => setTimeout(resolve, LONG_ENOUGH_MS));
  expect(Date.parse((await client.debt(b)).clock ?? '') - begun).toBeLessThan(60_000);
}, 150_000);

it('reaches a debt that was imported while the clocks were held, which began with a held one', async () => {
  const { campaignId, command } = await twoHeld();
  const { body } = await client.importJson(campaignId, [silentDebt()]);
  expect(body.imported).toBe(1);
  const imported = (await client.allDebts(campaignId)).at(-1)?.id ?? '';
  await new Promise((resolve) => setTimeout(resolve, LONG_ENOUGH_MS));
  expect(sent(await client.debt(imported), 'collection').length).toBeLessThan(2);
  await command('release');
  await client.reaches(imported, 'the end', hasEnded, 45_000);
}, 150_000);
