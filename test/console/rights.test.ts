import { expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { openRightsPage } from '../../testing/rights-page.ts';
import { INBOX } from '../../web/src/texts/inbox.ts';
import { axeViolations } from './support/accessibility.ts';
import { openConsole } from './support/console.ts';

const app = await opened(startCampaignsApp());
const client = await app.newClient();
const input = debtInput(1, { debtorName: 'Rita Nunes' });
const { debtId, path, proof, ask } = await openRightsPage(app, client, input);
await ask('correcao', { texto: 'Meu telefone mudou <b>hoje</b>.' });
const window = await openConsole(app, { client });

it('answers what a person asks on the page of their rights, by everybody in both themes and at both widths', async () => {
  const { page } = window;
  await window.visit(`/atendimento/${debtId}`);
  const asked = page.getByRole('region', { name: INBOX.rights });
  await asked.getByText('Meu telefone mudou <b>hoje</b>.').waitFor();
  expect(await page.locator('main').textContent()).toContain('O prazo da lei termina em');
  for (const width of [1280, 320]) {
    for (const theme of ['light', 'dark'] as const) {
      await window.show({ width, theme });
      await window.visit(`/atendimento/${debtId}`);
      await asked.getByRole('button', { name: INBOX.rightsAnswer }).click();
      await page.getByRole('dialog').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(await window.scrollsSideways()).toBe(false);
    }
  }
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(INBOX.rightsText).fill('Pronto, corrigimos.');
  await dialog.getByLabel(INBOX.rightsPhone).fill('(21) 98001-1888');
  await dialog.getByRole('button', { name: INBOX.rightsAnswer }).click();
  await dialog.waitFor({ state: 'detached' });
  await asked.waitFor({ state: 'detached' });
  const shown = await (await fetch(`${app.url}${path}?v=${proof}`)).text();
  expect(shown).toContain('Pronto, corrigimos.');
  expect((await client.call('GET', `/api/debts/${debtId}`)).body.debtorPhone).toBe('+5521980011888');
});
