import { expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { COMPANY_ADDRESS } from '../../testing/verified-company.ts';
import { ACCOUNT } from '../../web/src/texts/account.ts';
import { COMMON } from '../../web/src/texts/common.ts';
import { NEED, REHEARSAL } from '../../web/src/texts/rehearsal.ts';
import { confirmAddress } from '../http/accounts/accounts.ts';
import { openConsole } from './support/console.ts';
import { faultsHere } from './support/faults.ts';

/** A deployment of one company that reaches real people. Nothing listens at these addresses. */
const app = await opened(
  startCampaignsApp({
    roles: ['api'],
    env: {
      SINGLE_CLIENT: 'true',
      PAYMENT_PROVIDER: 'mercadopago',
      MERCADOPAGO_BASE_URL: 'http://127.0.0.1:9',
      MERCADOPAGO_ACCESS_TOKEN: 'token',
      MESSAGING_CHANNEL: 'whatsapp',
      WHATSAPP_BASE_URL: 'http://127.0.0.1:9/v24.0',
      WHATSAPP_TOKEN: 'token',
      WHATSAPP_PHONE_NUMBER_ID: '123456789',
      WHATSAPP_BUSINESS_ACCOUNT_ID: '987654321',
      WHATSAPP_VERIFY_TOKEN: 'verify-token',
    },
  }),
);

it('is confirmed by its owner where no operator is needed, and no screen sends the owner to one', async () => {
  const client = await app.newClient();
  await confirmAddress(app, client.id);
  await client.call('PATCH', '/api/onboarding/me', { cnpj: '11222333000181', address: COMPANY_ADDRESS });
  const campaignId = await client.createCampaign();
  await client.importJson(campaignId, [debtInput(1)]);
  const window = await openConsole(app, { client });
  const { page } = window;

  await window.visit(`/campanhas/${campaignId}/ensaio`);
  await page.getByRole('button', { name: REHEARSAL.launch, exact: true }).click();
  const launch = page.getByRole('dialog');
  await launch.getByText(NEED.own_verification).waitFor();
  expect(await launch.getByText(NEED.verification).count()).toBe(0);
  await launch.getByRole('button', { name: COMMON.cancel }).click();

  await window.visit('/conta');
  await page.getByText(ACCOUNT.missing.own_verification).waitFor();
  expect(await page.getByText(ACCOUNT.missing.verification).count()).toBe(0);
  expect(await faultsHere(window, 'a company that is not confirmed')).toEqual([]);
  // A colleague says meanwhile what the company does; the answer to the confirmation tells this window of it.
  await client.call('PATCH', '/api/onboarding/me', { segment: 'saude' });
  await page.getByLabel(ACCOUNT.confirmLabel).check();
  const confirm = page.getByRole('button', { name: ACCOUNT.confirmSubmit, exact: true });
  await confirm.click();
  await confirm.waitFor({ state: 'detached' });
  expect(await page.getByText(ACCOUNT.missing.own_verification).count()).toBe(0);
  const [row] = await app.query('select from clients where id = $1 and verified_at is not null', [client.id]);
  expect(row).toBeDefined();

  for (const contactEmail of ['fale@escola.example', 'contato@escola.example']) {
    await page.getByLabel(ACCOUNT.contactEmail).fill(contactEmail);
    const isSaved = page.waitForResponse((one) => one.request().method() === 'PATCH');
    await page.getByRole('button', { name: ACCOUNT.saveCompany, exact: true }).click();
    await isSaved;
    const saved = (await client.call('GET', '/api/onboarding/me')).body;
    expect(saved).toMatchObject({ contactEmail, segment: 'saude' });
  }
});
