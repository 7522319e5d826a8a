import { expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { openRightsPage } from '../../testing/rights-page.ts';

const app = await opened(startCampaignsApp());
const client = await app.newClient();
const ana = { debtorName: 'Ana Souza', debtorPhone: '+5511980077101' };
const bruno = { debtorName: 'Bruno Lima', debtorPhone: '+5511980077102', debtorCpf: cpfOf(871_000_002) };

/** What the copy of the person says of their only debt. */
async function debtOf({ path, proof }: { path: string; proof: string }) {
  const { debts } = await (await fetch(`${app.url}${path}?v=${proof}&format=json`)).json();
  expect(debts).toHaveLength(1);
  const [{ status, owedToday }] = debts;
  return { status, owedToday };
}
const settle = async (id: string, amount: number): Promise<string> =>
  (await client.call('POST', `/api/debts/${id}/settle`, { amount, paidAt: '2026-11-02', method: 'cash' })).body.status;

it('tells nobody what another person has paid of a bill that was imported again', async () => {
  const bill = debtInput(1, { ...ana, debtorCpf: cpfOf(871_000_001), invoiceId: 'H-1', originalAmount: 150.75 });
  const page = await openRightsPage(app, client, bill);
  expect((await client.call('POST', `/api/debts/${page.debtId}/withdraw`, { reason: 'Não é dela' })).status).toBe(200);
  const nothing = { status: 'STOPPED', owedToday: 0 };
  expect(await debtOf(page)).toEqual(nothing);
  const campaignId = await client.createCampaign();
  expect((await client.importJson(campaignId, [debtInput(1, { ...bill, ...bruno })])).body.imported).toBe(1);
  const [{ id }] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
  await settle(id, 50);
  expect(await debtOf(page)).toEqual(nothing);
  expect(await settle(id, 100.75)).toBe('PAID');
  expect(await debtOf(page)).toEqual(nothing);
});

it('asks for nothing of a paid bill whose money went back', async () => {
  const bill = debtInput(2, { ...ana, debtorCpf: cpfOf(871_000_003), invoiceId: 'H-2', originalAmount: 100 });
  const page = await openRightsPage(app, client, bill);
  expect(await debtOf(page)).toMatchObject({ owedToday: 100 });
  expect(await settle(page.debtId, 100)).toBe('PAID');
  await app.query('update charges set charged_back_at = now() where debt_id = $1', [page.debtId]);
  expect(await debtOf(page)).toEqual({ status: 'PAID', owedToday: 0 });
});
