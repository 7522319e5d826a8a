import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../testing/app.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { CAMPAIGN } from '../../web/src/texts/campaign.ts';
import { OWN_TEXTS, SETTINGS } from '../../web/src/texts/campaign-settings.ts';
import { CAMPAIGNS } from '../../web/src/texts/campaigns.ts';
import { COMMON } from '../../web/src/texts/common.ts';
import { DEBTS } from '../../web/src/texts/debts.ts';
import { IMPORT_FIELD } from '../../web/src/texts/import-problems.ts';
import { CAMPAIGN_STATUS, CHANNEL } from '../../web/src/texts/words.ts';
import { axeViolations } from './support/accessibility.ts';
import { makeClient } from './support/client.ts';
import { openConsole } from './support/console.ts';

const app = await opened(startApp());
const client = await makeClient(app);
const id = (await app.post<{ id: string }>('/api/sandbox/example', undefined, client.token)).body.id;
await app.query(`update campaigns set status = 'RUNNING', launched_at = now() where id = $1`, [id]);
await app.query(`update debts set status = 'QUEUED' where campaign_id = $1`, [id]);
const window = await openConsole(app, { client });
await window.visit(`/campanhas/${id}`);

const choose = async (item: string): Promise<void> => {
  await window.page.getByRole('button', { name: COMMON.more }).click();
  await window.page.getByRole('button', { name: item, exact: true }).click();
};
const press = (name: string) => window.page.getByRole('button', { name, exact: true }).click();
const stored = async () => (await app.get<Record<string, unknown>>(`/api/campaigns/${id}`, client.token)).body;

/** The dialog that is open can be used by everybody, on a desk and on a phone. */
async function expectUsable(): Promise<void> {
  for (const width of [320, 1280]) {
    await window.show({ width });
    expect(await axeViolations(window.page)).toEqual([]);
    expect(await window.scrollsSideways()).toBe(false);
  }
}

describe('the settings of a campaign', () => {
  it('stand beside their fields with what the server refuses, and change nothing until it accepts', async () => {
    const { page } = window;
    window.allow(`400 PATCH /api/campaigns/${id}`);
    await choose(CAMPAIGN.settings);
    await press(SETTINGS.edit);
    await expectUsable();
    await press(SETTINGS.useDefault);
    await page.getByRole('textbox', { name: /^Das/ }).fill('22:00');
    await page.getByLabel(SETTINGS.to).fill('23:30');
    await press(SETTINGS.save);
    await page.getByText('não sobra nenhum horário', { exact: false }).waitFor();
    expect(await stored()).toMatchObject({ hours: null });
    await page.getByRole('textbox', { name: /^Das/ }).fill('10:00');
    await page.getByLabel(SETTINGS.to).fill('16:00');
    await page.getByLabel(SETTINGS.name, { exact: true }).fill('Mensalidades');
    await press(SETTINGS.save);
    await page.getByRole('heading', { name: 'Mensalidades', level: 1 }).waitFor();
    expect(await stored()).toMatchObject({ name: 'Mensalidades', hours: { from: '10:00', to: '16:00' }, sender: null });
  });
});

describe('the channels of a campaign', () => {
  it('are a list that is put in order', async () => {
    const { page } = window;
    await choose(CAMPAIGN.settings);
    const group = page.getByRole('group', { name: SETTINGS.channels });
    await group.getByText(SETTINGS.channelsAll).waitFor();
    await group.getByRole('button', { name: CHANNEL.email }).click();
    await group.getByRole('button', { name: CHANNEL.whatsapp }).click();
    await group.getByRole('button', { name: CHANNEL.zenvia }).click();
    await group.getByRole('button', { name: SETTINGS.earlier(CHANNEL.whatsapp) }).click();
    await group.getByRole('button', { name: SETTINGS.without(CHANNEL.zenvia) }).click();
    await expectUsable();
    expect((await group.getByRole('listitem').allTextContents()).map((text) => text.split(' ')[1])).toEqual([
      CHANNEL.whatsapp,
      CHANNEL.email,
    ]);
    await page.getByRole('dialog').getByRole('button', { name: COMMON.cancel }).click();
  });
});

describe('the own texts of a campaign', () => {
  it('are shown as people would read them, with what the rules forbid, and saved when nothing is', async () => {
    const { page } = window;
    await choose(CAMPAIGN.texts);
    await page
      .getByLabel(OWN_TEXTS.text, { exact: true })
      .fill('Olá, {{nome}}. Pague ou vamos processar você. {{link}}');
    await press(OWN_TEXTS.preview);
    await page.getByText('A mensagem não pode ameaçar', { exact: false }).first().waitFor();
    await page.getByText('Para Maria da Silva').waitFor();
    await expectUsable();
    await page.getByLabel(OWN_TEXTS.text, { exact: true }).fill('Olá, {{nome}}. Veja como resolver: ');
    await press('{{link}}');
    await press(OWN_TEXTS.save);
    await page.getByText('Texto seu, versão 1', { exact: false }).waitFor();
    const texts = () => app.get<{ items: object[] }>(`/api/campaigns/${id}/texts`, client.token);
    expect((await texts()).body.items).toMatchObject([
      { step: 1, text: 'Olá, {{nome}}. Veja como resolver: {{link}}' },
    ]);
    await press(OWN_TEXTS.reset);
    await page.getByText('Este contato usa o texto do Quita', { exact: false }).waitFor();
    expect((await texts()).body.items).toEqual([]);
    await page.keyboard.press('Escape');
  });
});

describe('a running campaign', () => {
  it('is filtered by its chart, paused, resumed and archived', async () => {
    const { page } = window;
    await page.getByRole('button', { name: /^Pagas\W+0 dívidas/ }).click();
    await page.getByText(DEBTS.noneTitle).waitFor();
    await page.getByRole('button', { name: /^A começar\W+15 dívidas/ }).click();
    await page.getByText(/^1–\d+ de 15$/).waitFor();
    await press(CAMPAIGN.pause);
    await page.getByText(CAMPAIGN_STATUS.PAUSED.label, { exact: true }).waitFor();
    expect(await stored()).toMatchObject({ status: 'PAUSED' });
    await press(CAMPAIGN.resume);
    await page.getByText(CAMPAIGN_STATUS.RUNNING.label, { exact: true }).waitFor();
    await choose(CAMPAIGN.archive);
    await page.getByText('As 15 dívidas ainda não pagas serão encerradas', { exact: false }).waitFor();
    await expectUsable();
    await press(CAMPAIGN.archive);
    await page.getByText(CAMPAIGN_STATUS.ARCHIVED.label, { exact: true }).waitFor();
    expect(await stored()).toMatchObject({ status: 'ARCHIVED' });
    await window.visit('/campanhas');
    await page.getByText(CAMPAIGNS.noneInUse).waitFor();
    await page.getByRole('button', { name: CAMPAIGNS.archived }).click();
    await page.getByRole('link', { name: 'Mensalidades' }).waitFor();
  });
});

describe('a debt that is added by hand', () => {
  it('says beside each field what is wrong with it, and then belongs to the campaign', async () => {
    const { page } = window;
    const created = await app.post<{ id: string }>('/api/campaigns', { name: 'À mão' }, client.token);
    await window.visit(`/campanhas/${created.body.id}`);
    await choose(CAMPAIGN.addDebt);
    const field = (name: keyof typeof IMPORT_FIELD) => page.getByRole('dialog').getByLabel(IMPORT_FIELD[name]);
    await field('debtorName').fill('Lúcia Ramos');
    await field('debtorTaxId').fill('529.982.247-26');
    await field('debtorPhone').fill('(11) 98123-4567');
    await field('originalAmount').fill('1.200,50');
    await field('dueDate').fill('05/10/2026');
    await press(CAMPAIGN.addDebtAction);
    await page.getByText('CPF ou CNPJ não confere', { exact: false }).waitFor();
    await expectUsable();
    await field('debtorTaxId').fill('529.982.247-25');
    await press(CAMPAIGN.addDebtAction);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const listed = await app.post<{ items: object[] }>(
      '/api/debts/search',
      { q: '52998224725', campaignId: created.body.id },
      client.token,
    );
    expect(listed.body.items).toMatchObject([
      { debtorName: 'Lúcia Ramos', originalAmount: 1_200.5, dueDate: '2026-10-05' },
    ]);
  });
});

describe('the settings of a campaign that a colleague changes meanwhile', () => {
  it('keep what the colleague has set', async () => {
    const { page } = window;
    const made = await app.post<{ id: string }>('/api/campaigns', { name: 'Cursos' }, client.token);
    const path = `/api/campaigns/${made.body.id}`;
    const bringDebt = (n: number) =>
      app.post(`/api/import/json/${made.body.id}`, { clientId: client.id, debts: [debtInput(n)] }, client.token);
    await bringDebt(1);
    await app.query(`update campaigns set status = 'RUNNING', sandbox = true, launched_at = now() where id = $1`, [
      made.body.id,
    ]);
    await window.visit(`/campanhas/${made.body.id}`);
    await choose(CAMPAIGN.settings);
    const name = page.getByRole('dialog').getByLabel(SETTINGS.name, { exact: true });
    await name.waitFor();
    const hours = { from: '10:00', to: '12:00' };
    const changed = await app.call<{ hours: unknown }>('PATCH', path, { body: { hours }, bearer: client.token });
    expect(changed.body.hours).toEqual(hours);
    // News of the campaign makes the screen read it again.
    const isRead = page.waitForResponse((one) => one.url().endsWith(path) && one.request().method() === 'GET');
    await bringDebt(2);
    await isRead;
    await window.ready();
    await name.fill('Cursos livres');
    await press(SETTINGS.save);
    await page.getByRole('heading', { name: 'Cursos livres', level: 1 }).waitFor();
    expect((await app.get(path, client.token)).body).toMatchObject({ name: 'Cursos livres', hours });
  });
});
