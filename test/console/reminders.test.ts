import { expect, it } from '@jest/globals';
import { startApp } from '../../testing/app.ts';
import { cpfOf } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { CAMPAIGN } from '../../web/src/texts/campaign.ts';
import { SETTINGS } from '../../web/src/texts/campaign-settings.ts';
import { COMMON } from '../../web/src/texts/common.ts';
import { REHEARSAL } from '../../web/src/texts/rehearsal.ts';
import { CHANNEL } from '../../web/src/texts/words.ts';
import { makeClient } from './support/client.ts';
import { openConsole } from './support/console.ts';
import { faultsOf } from './support/faults.ts';

const app = await opened(startApp());

const DAY = 24 * 3_600_000;
/** A Thursday at least so many days ahead. Its reminder and the one of the Monday before never fall on one open day. */
const thursdayIn = (days: number): string => {
  const from = Date.now() + days * DAY;
  const date = new Date(from + ((11 - new Date(from).getUTCDay()) % 7) * DAY);
  return date.toISOString().slice(0, 10).split('-').reverse().join('/');
};
/** The bills of next month, as an office exports them before anybody is late. */
const BILLS = [
  'Nome;CPF;Celular;Valor;Vencimento;Fatura',
  `Ana Souza;${cpfOf(701)};(11) 98765-0701;310,00;${thursdayIn(20)};FAT-1`,
  `Bruno Dias;${cpfOf(702)};(11) 98765-0702;320,00;${thursdayIn(20)};FAT-2`,
  `Carla Melo;${cpfOf(703)};(11) 98765-0703;330,00;${thursdayIn(30)};FAT-3`,
].join('\n');

it('bills of next month are imported, reminded of and rehearsed before they are due', async () => {
  const client = await makeClient(app);
  const { id } = (await app.post<{ id: string }>('/api/campaigns', { name: 'Dezembro' }, client.token)).body;
  const window = await openConsole(app, { client });
  const { page } = window;
  await window.visit(`/campanhas/${id}/importar`);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'dezembro.csv', mimeType: 'text/csv', buffer: Buffer.from(BILLS) });
  await page.getByRole('button', { name: /^Conferir 3/ }).click();
  await page.getByRole('button', { name: /^Importar/ }).click();
  await page
    .getByRole('link', { name: /[Ee]nsa/ })
    .first()
    .waitFor();

  await window.visit(`/campanhas/${id}`);
  await page.getByRole('button', { name: COMMON.more }).click();
  await page.getByRole('button', { name: CAMPAIGN.settings, exact: true }).click();
  const group = page.getByRole('group', { name: SETTINGS.reminders });
  await group.getByLabel(SETTINGS.reminderOf(1)).selectOption({ label: SETTINGS.daysBefore(0) });
  await group.getByLabel(SETTINGS.reminderOf(2)).selectOption({ label: SETTINGS.daysBefore(3) });
  await page.getByRole('button', { name: SETTINGS.save, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { reminders } = (await app.get<{ reminders: unknown }>(`/api/campaigns/${id}`, client.token)).body;
  expect(reminders).toEqual({ daysBefore: [3, 0] });

  await window.visit(`/campanhas/${id}/ensaio`);
  await page.getByText(REHEARSAL.lead('Dezembro', 60), { exact: false }).waitFor();
  await page.getByText(REHEARSAL.reminders(6)).waitFor();
  await page.getByText(REHEARSAL.reminderOf(CHANNEL.sandbox, 1)).waitFor();
  await page.getByText(REHEARSAL.exampleOf(CHANNEL.sandbox, 1)).waitFor();
  expect(await faultsOf(window, `/campanhas/${id}/ensaio`)).toEqual([]);
});
