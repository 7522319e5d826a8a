import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { ACCOUNT } from '../../web/src/texts/account.ts';
import { AUDIT } from '../../web/src/texts/audit.ts';
import { COMMON } from '../../web/src/texts/common.ts';
import { PRIVACY } from '../../web/src/texts/privacy.ts';
import { addMember } from '../http/accounts/accounts.ts';
import { axeViolations } from './support/accessibility.ts';
import { openConsole } from './support/console.ts';
import { faultsOf } from './support/faults.ts';

const app = await opened(startCampaignsApp({ roles: ['api', 'worker', 'relay'] }));
const client = await app.newClient();
const window = await openConsole(app, { client, allowed: ['400 POST /api/privacy/erasures'] });
const { page } = window;
const dialog = page.getByRole('dialog');
const cpf = cpfOf(700_000_001);
const campaignId = await client.createCampaign('Mensalidades');
await client.importJson(campaignId, [
  debtInput(1, { debtorCpf: cpf, debtorName: 'Quitéria Zebulon', invoiceId: 'FAT-1' }),
  debtInput(2, { debtorCpf: cpf, debtorName: 'Quitéria Zebulon', invoiceId: 'FAT-2' }),
]);
await app.query(`update debts set status = 'STOPPED' where invoice_id = 'FAT-1'`);

const button = (name: string) => page.getByRole('button', { name, exact: true });

describe('the audit log in the console', () => {
  it('is narrowed, leads to what it is about, and is downloaded', async () => {
    expect(await faultsOf(window, '/conta/registro')).toEqual([]);
    await window.show({ theme: 'light', width: 1280 });
    // A field that may stay empty says so in its label.
    const to = page.getByLabel(new RegExp(`^${AUDIT.to}`));
    await page.getByLabel(AUDIT.part).selectOption('campaigns');
    await page.getByRole('row').filter({ hasText: 'conta criada' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'campanha criada' }).waitFor();
    await to.fill('31/01/2020');
    await page.getByText(AUDIT.none).waitFor();
    await to.fill('');
    const downloading = page.waitForEvent('download');
    await button(AUDIT.csv).click();
    const file = await readFile(await (await downloading).path(), 'utf8');
    expect(file).toContain('campanha criada');
    expect(file).not.toContain('conta criada');
    await page.getByRole('link', { name: 'campanha criada' }).click();
    await page.getByRole('heading', { name: 'Mensalidades' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/campanhas/${campaignId}`);
  });
});

describe('personal data in the console', () => {
  it('says how long conversations are kept, and asks before they are kept for less time', async () => {
    expect(await faultsOf(window, '/conta/dados')).toEqual([]);
    await window.show({ theme: 'light', width: 1280 });
    const days = async (): Promise<number> => (await client.call('GET', '/api/privacy/retention')).body.days;
    await page.getByLabel(PRIVACY.days, { exact: true }).fill('400');
    await button(PRIVACY.save).click();
    await dialog.getByText(PRIVACY.shorterText(400)).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await days()).toBe(1_826);
    await dialog.getByRole('button', { name: PRIVACY.shorterAction }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(PRIVACY.retentionLead(400)).waitFor();
    expect(await days()).toBe(400);
    await page.getByLabel(PRIVACY.days, { exact: true }).fill('1826');
    await button(PRIVACY.save).click();
    await page.getByText(PRIVACY.retentionLead(1_826)).waitFor();
    expect((await client.call('GET', '/api/privacy/retention')).body.own).toBe(false);
  });

  it('erases a person after a look at what goes and what stays, and a typed word', async () => {
    await window.visit('/conta/dados');
    const nameOf = async (invoice: string) =>
      (await app.query<{ name: string }>('select debtor_name as name from debts where invoice_id = $1', [invoice]))[0]!
        .name;
    await button(PRIVACY.erase).click();
    await dialog.getByLabel(PRIVACY.taxId).fill('111.444.777-36');
    await dialog.getByRole('button', { name: PRIVACY.look }).click();
    await dialog.locator('[aria-invalid="true"]').waitFor();
    await dialog.getByLabel(PRIVACY.taxId).fill(cpfOf(700_000_999));
    await dialog.getByRole('button', { name: PRIVACY.look }).click();
    await dialog.getByText(PRIVACY.nobody).waitFor();
    await dialog.getByLabel(PRIVACY.taxId).fill(cpf);
    await dialog.getByRole('button', { name: PRIVACY.look }).click();
    await dialog.getByText(PRIVACY.erasable(1)).waitFor();
    await dialog.getByText(/FAT-2.*aberta/).waitFor();
    for (const [theme, width] of [
      ['light', 1280],
      ['dark', 320],
    ] as const) {
      await window.show({ theme, width });
      expect([theme, await axeViolations(page)]).toEqual([theme, []]);
      expect(await window.scrollsSideways()).toBe(false);
    }
    await window.show({ theme: 'light', width: 1280 });
    expect(await nameOf('FAT-1')).toBe('Quitéria Zebulon');
    await dialog.getByLabel(COMMON.typeToConfirm(PRIVACY.eraseWord)).fill(PRIVACY.eraseWord);
    await dialog.getByRole('button', { name: PRIVACY.eraseAction }).click();
    await dialog.waitFor({ state: 'detached' });
    await until('the person to be erased', async () => (await nameOf('FAT-1')) === '(dados apagados)');
    expect(await nameOf('FAT-2')).toBe('Quitéria Zebulon');
    expect(page.url()).not.toContain(cpf);
  });

  it('is an owner’s part alone', async () => {
    const { token } = await addMember(app, client.id, 'manager', client.password);
    expect((await app.call('POST', '/api/privacy/erasures', { bearer: token, body: { cpf } })).status).toBe(403);
    expect(await button(ACCOUNT.privacy).count()).toBe(1);
  });
});
