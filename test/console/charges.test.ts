import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { CHARGES } from '../../web/src/texts/charges.ts';
import { DEBT } from '../../web/src/texts/debt.ts';
import { fieldText } from '../../web/src/texts/problem-texts.ts';
import { openConsole } from './support/console.ts';

const app = await opened(startCampaignsApp());
const client = await app.newClient();
const campaignId = await client.createCampaign('Mensalidades');
await client.importJson(campaignId, [debtInput(1, { dueDate: '2026-10-05', originalAmount: 1000 })]);
const window = await openConsole(app, { client, allowed: ['400 POST /api/terms/preview', '400 PUT /api/terms'] });
const { page } = window;

describe('the screen of what late payment costs', () => {
  it('works an example while somebody types, and names limits at the fields', async () => {
    await window.visit('/encargos');
    await page.getByText(CHARGES.noVersions).waitFor();
    await page.getByLabel(CHARGES.effectiveFrom).fill('2026-01-01');
    await page.getByLabel(CHARGES.amount).fill('150,75');
    await page.getByLabel(CHARGES.due, { exact: true }).fill('2026-10-05');
    await page.getByLabel(CHARGES.on).fill('2026-11-20');
    await page.getByText('R$ 156,07').waitFor();
    await page.getByText('R$ 150,75 × 1 % ÷ 30 × 46 dias').waitFor();
    await page.getByLabel(CHARGES.fine).fill('2,5');
    await page.getByText(fieldText('above_legal_limit')).waitFor();
    expect(await page.getByLabel(CHARGES.fine).getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel(CHARGES.fine).fill('1,5');
    await page.getByText('R$ 155,32').waitFor();
  });

  it('says what changes before a version is saved, and shows it afterwards', async () => {
    await page.getByLabel(CHARGES.fine).fill('2');
    const changes = page.getByRole('region', { name: CHARGES.changes });
    await changes
      .getByText(/^A nova versão vale para 1 dívida de 1 rascunho \(Mensalidades\)\. O total de hoje/)
      .waitFor();
    const save = page.getByRole('button', { name: CHARGES.save });
    await save.click();
    await page.getByText(fieldText('required')).waitFor();
    await page.getByLabel(CHARGES.clause).fill('Contrato, cláusula 7');
    await save.click();
    await page.getByText('Desde 01/01/2026: multa de 2 %, juros de 1 % ao mês.').waitFor();
    await page.getByText(CHARGES.clauseOf('Contrato, cláusula 7')).waitFor();
    expect((await client.call('GET', '/api/terms')).body.items).toMatchObject([{ finePercent: 2 }]);
    await window.show({ width: 320 });
    expect(await window.scrollsSideways()).toBe(false);
    await window.show({ width: 1280 });
  });

  it('shows on the screen of a debt what is owed today', async () => {
    const { id } = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items[0];
    await window.visit(`/dividas/${id}`);
    const owed = page.locator('section').filter({ has: page.getByRole('heading', { name: DEBT.owedToday }) });
    await owed.getByText('2 % de R$ 1.000,00, uma única vez').waitFor();
    await owed.getByText(DEBT.clause('Contrato, cláusula 7')).waitFor();
  });
});
