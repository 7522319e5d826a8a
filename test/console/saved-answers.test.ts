import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { ACCOUNT } from '../../web/src/texts/account.ts';
import { COMMON } from '../../web/src/texts/common.ts';
import { INBOX } from '../../web/src/texts/inbox.ts';
import { SAVED_ANSWERS as TEXT } from '../../web/src/texts/saved-answers.ts';
import { addMember } from '../http/accounts/accounts.ts';
import { focused, pressTabUntil } from './support/accessibility.ts';
import { openConsole } from './support/console.ts';
import { faultsHere, faultsOf } from './support/faults.ts';

const PATH = '/api/saved-answers';
const app = await opened(startCampaignsApp());
const client = await app.newClient();
const campaignId = await client.createCampaign();
await client.importJson(campaignId, [debtInput(1, { debtorName: 'JOANA DA SILVA' })]);
const [debt] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
await app.query(`insert into inbox_items (client_id, debt_id, reason, since) values ($1, $2, 'human', now())`, [
  client.id,
  debt.id,
]);
const { member: agent } = await addMember(app, client.id, 'agent', client.password);

const window = await openConsole(app, { client, allowed: [`400 POST ${PATH}`] });
const { page } = window;
const dialog = page.getByRole('dialog');
const closed = () => dialog.waitFor({ state: 'detached' });
const saved = async (): Promise<{ name: string; text: string }[]> => (await client.call('GET', PATH)).body.items;
const press = async (name: string | RegExp) => {
  await pressTabUntil(page, name, { role: 'button' });
  await page.keyboard.press('Enter');
};
const answer = page.getByLabel(INBOX.answer, { exact: true });
/** Opens the picker from the answer, which keeps its cursor, and waits for its field. */
const openPicker = async () => {
  await press(INBOX.savedAnswers);
  await dialog.getByRole('searchbox').waitFor();
};

describe('the saved answers of a company', () => {
  it('are added, changed and removed by the keyboard, and a wrong text is named at its field', async () => {
    expect(await faultsOf(window, '/conta/respostas')).toEqual([]);
    await press(TEXT.add);
    await dialog.waitFor();
    await page.keyboard.type('Agradecer');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Obrigado! Acesse {{link}}.');
    await press(COMMON.save);
    await dialog.getByText(TEXT.problem('placeholder_unknown')).waitFor();
    expect(await faultsHere(window, 'a wrong answer')).toEqual([]);
    await pressTabUntil(page, new RegExp(`^${TEXT.text}`));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Obrigado, {{nome}}! Aqui é a {{credor}}.');
    await press(COMMON.save);
    await closed();
    expect(await saved()).toMatchObject([{ name: 'Agradecer', text: 'Obrigado, {{nome}}! Aqui é a {{credor}}.' }]);

    await press(TEXT.change);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Obrigado');
    await press(COMMON.save);
    await closed();
    expect(await saved()).toMatchObject([{ name: 'Obrigado' }]);
    expect(await faultsHere(window, 'the list')).toEqual([]);

    await press(TEXT.remove);
    await dialog.waitFor();
    await press(TEXT.remove);
    await closed();
    await page.getByText(TEXT.emptyTitle).waitFor();
    expect(await saved()).toEqual([]);
    expect((await focused(page)).name).toBe(TEXT.add);
  });

  it('come into an answer at its cursor, filled for the person, and are not sent', async () => {
    await client.call('POST', PATH, { name: 'Código Pix', text: 'Olá, {{nome}}! O código está na página.' });
    await client.call('POST', PATH, { name: 'Obrigado', text: 'Obrigado, {{nome}}!' });
    await client.call('POST', PATH, { name: 'Pix atrasado', text: 'O seu Pix ainda não chegou.' });
    await window.visit(`/atendimento/${debt.id}`);
    await pressTabUntil(page, INBOX.answer, { role: 'textbox' });
    await page.keyboard.type('Bom dia. Até logo.');
    for (let n = 0; n < ' Até logo.'.length; n += 1) await page.keyboard.press('ArrowLeft');
    await openPicker();
    expect(await faultsHere(window, 'the picker')).toEqual([]);
    await page.keyboard.type('codigo');
    await dialog.getByText(TEXT.found(1)).waitFor();
    await page.keyboard.press('Enter');
    await closed();
    expect(await answer.inputValue()).toBe('Bom dia. Olá, Joana! O código está na página. Até logo.');
    // The person goes on writing behind what came in.
    await page.keyboard.type(' Veja!');
    expect(await answer.inputValue()).toContain('página. Veja! Até logo.');

    await openPicker();
    await page.keyboard.type('pix');
    await dialog.getByText(TEXT.found(2)).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect((await focused(page)).name).toContain('Pix atrasado');
    await page.keyboard.press('Escape');
    await closed();
    expect((await focused(page)).name).toBe(INBOX.savedAnswers);
    expect(await app.query('select 1 from messages where client_id = $1', [client.id])).toEqual([]);
  });

  it('are made of what is being written', async () => {
    await answer.fill('Pode mandar o comprovante por aqui.');
    await openPicker();
    await press(TEXT.saveWritten);
    await dialog.getByLabel(TEXT.text).waitFor();
    expect((await focused(page)).name).toBe(TEXT.name);
    await page.keyboard.type('Comprovante');
    await press(COMMON.save);
    await closed();
    expect(await saved()).toContainEqual(
      expect.objectContaining({ name: 'Comprovante', text: 'Pode mandar o comprovante por aqui.' }),
    );
    expect(await answer.inputValue()).toBe('Pode mandar o comprovante por aqui.');
  });

  it('lose nothing that was typed while the service does not answer, and are shown once it does', async () => {
    window.allow(/^503 /);
    await window.visit('/conta/respostas');
    await press(TEXT.add);
    await dialog.waitFor();
    await page.keyboard.type('Segunda via');
    await page.keyboard.press('Tab');
    await page.keyboard.type('A segunda via está na página.');
    await page.route(`**${PATH}*`, (route) => route.fulfill({ status: 503 }));
    await press(COMMON.save);
    await dialog.getByRole('alert').waitFor();
    expect(await faultsHere(window, 'an answer that was not saved')).toEqual([]);
    expect(await dialog.getByLabel(TEXT.text).inputValue()).toBe('A segunda via está na página.');

    // The picker says so too, and the answer that is being written stays.
    await window.visit(`/atendimento/${debt.id}`);
    await answer.fill('Já procuro.');
    await press(INBOX.savedAnswers);
    await dialog.getByRole('alert').waitFor({ timeout: 30_000 });
    expect(await faultsHere(window, 'the picker without its answers')).toEqual([]);
    await page.unroute(`**${PATH}*`);
    await press(COMMON.retry);
    await dialog.getByRole('button', { name: /Código Pix/ }).waitFor({ timeout: 30_000 });
    await page.keyboard.press('Escape');
    await closed();
    expect(await answer.inputValue()).toBe('Já procuro.');
    expect(await saved()).not.toContainEqual(expect.objectContaining({ name: 'Segunda via' }));
  });

  it('are read and used, but not changed, by a member who only answers', async () => {
    const theirs = await openConsole(app, { client: { email: agent.email, password: client.password } });
    await theirs.visit('/conta/respostas');
    await theirs.page.getByRole('cell', { name: 'Comprovante', exact: true }).waitFor();
    const names = await theirs.page.locator('tbody tr > td:first-child').allTextContents();
    expect(names).toEqual(['Código Pix', 'Comprovante', 'Obrigado', 'Pix atrasado']);
    for (const name of [TEXT.add, TEXT.change, TEXT.remove]) {
      expect(await theirs.page.getByRole('button', { name }).count()).toBe(0);
    }
    await theirs.visit(`/atendimento/${debt.id}`);
    const field = theirs.page.getByLabel(INBOX.answer, { exact: true });
    await field.fill('Oi.');
    await theirs.page.getByRole('button', { name: INBOX.savedAnswers }).click();
    await theirs.page.getByRole('button', { name: /^Obrigado/ }).click();
    await theirs.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('Oi. Obrigado, Joana!');
    await theirs.page.getByRole('button', { name: INBOX.savedAnswers }).click();
    await theirs.page.getByRole('searchbox').waitFor();
    expect(await theirs.page.getByRole('button', { name: TEXT.saveWritten }).count()).toBe(0);
    await theirs.close();

    const { member: viewer } = await addMember(app, client.id, 'viewer', client.password);
    const reader = await openConsole(app, { client: { email: viewer.email, password: client.password } });
    await reader.visit('/conta');
    await reader.page.getByRole('button', { name: ACCOUNT.access }).waitFor();
    expect(await reader.page.getByRole('button', { name: ACCOUNT.savedAnswers }).count()).toBe(0);
    await reader.close();
  });
});
