import { expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInputs } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { DEBT_STATUS } from '../../web/src/texts/words.ts';
import { openConsole } from './support/console.ts';

const app = await opened(startCampaignsApp());
const client = await app.newClient();
const campaignId = await client.createCampaign();
await client.importJson(
  campaignId,
  debtInputs(5).map((input) => ({ ...input, originalAmount: 100 })),
);
for (const [position, status] of [
  [1, 'PAID'],
  [2, 'EXHAUSTED'],
  [3, 'UNREACHABLE'],
  [4, 'STOPPED'],
]) {
  await app.query('update debts set status = $3 where campaign_id = $1 and position = $2', [
    campaignId,
    position,
    status,
  ]);
}
const window = await openConsole(app, { client });

it('counts what nobody answers as open, and shows that part', async () => {
  await window.visit('/');
  const open = window.page.getByRole('definition').filter({ hasText: 'fora da sequência' });
  expect(await open.textContent()).toBe('em 3 dívidas, 2 fora da sequência (R$ 200,00)');
  await window.page.getByText('R$ 300,00', { exact: true }).waitFor();
  await window.page.getByText('R$ 100,00 em cobrança em 1 dívida').waitFor();
  await open.getByRole('link').click();
  await window.page.waitForURL(/\/dividas\?situacao=/);
  await window.page.getByText(DEBT_STATUS.EXHAUSTED.label).first().waitFor();
});
