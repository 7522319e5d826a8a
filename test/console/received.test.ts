import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { RECEIVED as TEXT } from '../../web/src/texts/received.ts';
import { openConsole } from './support/console.ts';

const app = await opened(startCampaignsApp());
const client = await app.newClient();
const window = await openConsole(app, { client, allowed: ['400 POST /api/settlements/file'] });
const { page } = window;

function fileOf(name: string, content: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'quita-payments-')), name);
  writeFileSync(file, content);
  return file;
}

it('settles a file after a look at it, lets a person decide about a doubtful payment, and takes one back', async () => {
  const campaignId = await client.createCampaign();
  const debtorCpf = cpfOf(100_000_001);
  const debts = ['FAT-1', 'FAT-2', 'FAT-3'].map((invoiceId, at) =>
    debtInput(at + 1, { invoiceId, originalAmount: 100, ...(at > 0 && { debtorCpf }) }),
  );
  await client.importJson(campaignId, debts);
  const { items } = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body;
  const statusOf = async (at: number): Promise<string> =>
    (await client.call('GET', `/api/debts/${items[at].id}`)).body.status;

  await window.visit('/recebidos');
  await page.getByLabel(TEXT.choose).setInputFiles(fileOf('vazio.csv', ' \n'));
  const check = page.getByRole('button', { name: TEXT.check });
  await check.click();
  await page.getByText(TEXT.fileProblems['too_short']!).waitFor();
  await page.getByLabel(TEXT.choose).setInputFiles(fileOf('outros.csv', 'x;y;z\nFAT-1;20/11/2026;100,00\n'));
  await check.click();
  await page.getByLabel(TEXT.columnOf.invoiceId).fill('x');
  await page.getByLabel(TEXT.columnOf.paidAt).fill('y');
  await page.getByLabel(TEXT.columnOf.amount).fill('z');
  await check.click();
  await page.getByRole('button', { name: TEXT.again }).click();
  const table = `fatura;cpf;data;valor pago\nFAT-1;;20/11/2026;100,00\n;${debtorCpf};20/11/2026;100,00\n;;x;\n`;
  await page.getByLabel(TEXT.choose).setInputFiles(fileOf('pagos.csv', table));
  await check.click();
  const confirm = page.getByRole('button', { name: TEXT.confirm(1, 100) });
  await confirm.waitFor();
  await page.getByText(TEXT.codeOf('several_debts')).waitFor();
  await window.show({ width: 320 });
  expect(await window.scrollsSideways()).toBe(false);
  await window.show({ width: 1280 });
  if (process.env['PICTURES'] !== undefined) await page.screenshot({ path: `${process.env['PICTURES']}/received.png` });
  expect(await statusOf(0)).toBe('IMPORTED');
  await confirm.click();
  await page.getByRole('button', { name: TEXT.toDoubts }).click();
  expect(await statusOf(0)).toBe('PAID');

  await page.getByText(TEXT.doubtOf('several_debts')).waitFor();
  const choices = page.getByRole('button', { name: TEXT.choosePayment });
  expect(await choices.count()).toBe(2);
  await window.show({ width: 320 });
  expect(await window.scrollsSideways()).toBe(false);
  await window.show({ width: 1280 });
  if (process.env['PICTURES'] !== undefined) await page.screenshot({ path: `${process.env['PICTURES']}/open.png` });
  await choices.first().click();
  await page.getByText(TEXT.undecidedNone).waitFor();
  expect([await statusOf(1), await statusOf(2)].sort()).toEqual(['IMPORTED', 'PAID']);

  await window.visit(`/dividas/${items[0].id}`);
  await page.getByRole('button', { name: TEXT.undo }).click();
  await page.getByRole('dialog').getByRole('button', { name: TEXT.undo }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await until('the payment is taken back', async () => (await statusOf(0)) === 'IMPORTED');
  await page.getByRole('button', { name: TEXT.undo }).waitFor({ state: 'detached' });
});

it('takes back a payment of an instalment, which was recorded by hand', async () => {
  const campaignId = await client.createCampaign();
  const dueDate = addDays(localDate(Date.now(), -3), -100);
  await client.importJson(campaignId, [debtInput(9, { invoiceId: 'FAT-9', originalAmount: 100, dueDate })]);
  const [debt] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
  await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
  await client.call('PUT', '/api/offers/policy', OFFERS_POLICY);
  const firstDueDate = addDays(localDate(Date.now(), -3), 1);
  const offer = { discountPercent: 0, instalments: 2, entryPercent: 0, firstDueDate };
  const made = await client.call('POST', `/api/debts/${debt.id}/offers`, offer);
  expect(made.status).toBe(201);
  const accepted = await client.call('POST', `/api/debts/${debt.id}/offers/${made.body.id}/accept`, {
    note: 'No balcão',
  });
  expect(accepted.status).toBe(201);
  const paidAt = localDate(Date.now(), -3);
  const settled = await client.call('POST', `/api/debts/${debt.id}/settle`, { amount: 50, paidAt, method: 'cash' });
  expect(settled.status).toBe(200);
  const read = async () => (await client.call('GET', `/api/debts/${debt.id}`)).body.timeline;
  const paid = (await read()).find(({ kind }: { kind: string }) => kind === 'instalment_paid');
  expect(paid).toMatchObject({ amount: 50, method: 'cash' });

  await window.visit(`/dividas/${debt.id}`);
  await page.getByRole('button', { name: TEXT.undo }).click();
  await page.getByRole('dialog').getByRole('button', { name: TEXT.undo }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await until('the payment is taken back', async () =>
    (await read()).some(({ change }: { change?: string }) => change === 'undone'),
  );
  await page.getByRole('button', { name: TEXT.undo }).waitFor({ state: 'detached' });
});
