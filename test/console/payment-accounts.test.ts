import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { FakeBank } from '../../testing/fake-bank/fake-bank.ts';
import { opened } from '../../testing/opened.ts';
import { PAYMENT_ACCOUNTS as TEXT } from '../../web/src/texts/payment-accounts.ts';
import { fieldText } from '../../web/src/texts/problem-texts.ts';
import { openConsole } from './support/console.ts';

const bank = await new FakeBank('inter', { wantsScope: false }).start();
afterAll(() => bank.stop());
const app = await opened(
  startCampaignsApp({
    roles: ['api'],
    env: { PAYMENT_PROVIDER: 'mercadopago,pix', MESSAGING_CHANNEL: 'whatsapp', WHATSAPP_VERIFY_TOKEN: 'v' },
  }),
);
const client = await app.newClient();
const window = await openConsole(app, { client, allowed: ['400 POST /api/payment-accounts'] });
const { page } = window;

function fileOf(name: string, content: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'quita-certificate-')), name);
  writeFileSync(file, content);
  return file;
}

it('connects an account at a bank by form, names what is wrong at its field, and shows how the account is', async () => {
  await window.visit('/conta/canais');
  await page.getByText(TEXT.none).waitFor();
  await page.getByRole('button', { name: TEXT.connect }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(TEXT.where).selectOption('inter');
  await dialog.getByText(TEXT.help('inter')).waitFor();
  await dialog.getByLabel(TEXT.where).selectOption('custom');
  const { baseUrl, tokenUrl, caPem } = bank.addresses;
  const { clientId, certificate, key } = bank.credentials();
  await dialog.getByLabel(TEXT.clientId).fill(clientId);
  await dialog.getByLabel(TEXT.clientSecret, { exact: true }).fill('errado');
  await dialog.getByLabel(TEXT.key).fill(key);
  await dialog.getByLabel(TEXT.certificateKind, { exact: true }).selectOption('pem');
  await dialog.getByLabel(TEXT.pem).setInputFiles(fileOf('a.crt', certificate!.certificatePem));
  await dialog.getByLabel(TEXT.privateKey).setInputFiles(fileOf('a.key', certificate!.privateKeyPem));
  await dialog.getByLabel(TEXT.baseUrl).fill(baseUrl);
  await dialog.getByLabel(TEXT.tokenUrl).fill(tokenUrl);
  await dialog.getByLabel(TEXT.ca).setInputFiles(fileOf('ca.pem', caPem!));
  const connect = dialog.getByRole('button', { name: TEXT.connect });
  await connect.click();
  await dialog.getByText(fieldText('credentials_refused')).waitFor();
  await dialog.getByLabel(TEXT.clientSecret, { exact: true }).fill(bank.clientSecret);
  await window.show({ width: 320 });
  expect(await window.scrollsSideways()).toBe(false);
  await window.show({ width: 1280 });
  if (process.env['PICTURES'] !== undefined) await page.screenshot({ path: `${process.env['PICTURES']}/connect.png` });
  await connect.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(`Outro banco · ${key}`).waitFor();
  if (process.env['PICTURES'] !== undefined) await page.screenshot({ path: `${process.env['PICTURES']}/accounts.png` });
  expect((await client.call('GET', '/api/payment-accounts')).body.items).toMatchObject([
    { profile: 'custom', state: 'ready' },
  ]);
});
