import { expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { startAgreements } from '../../testing/agreements.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInputs } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { CHARTS } from '../../web/src/texts/charts.ts';
import { HOME } from '../../web/src/texts/home.ts';
import { RECOVERY } from '../../web/src/texts/recovery-figures.ts';
import { COMPONENT_NAMES } from '../../web/src/texts/server-names.ts';
import { DEBT_STATUS } from '../../web/src/texts/words.ts';
import { openConsole } from './support/console.ts';
import { faultsHere } from './support/faults.ts';

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
const agreements = await startAgreements(app);
const window = await openConsole(app, { client });
const panel = (title: string) =>
  window.page.locator('section').filter({ has: window.page.getByRole('heading', { name: title, exact: true }) });
/** The names and values of the panel of agreements. */
async function figures(): Promise<string[]> {
  await panel(RECOVERY.agreements).waitFor();
  return panel(RECOVERY.agreements).locator('dl > div').allTextContents();
}

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

it('has no panel of agreements or of charges before there are any', async () => {
  for (const path of ['/', `/campanhas/${campaignId}`]) {
    await window.visit(path);
    await panel(HOME.statuses).waitFor();
    expect([await panel(RECOVERY.agreements).count(), await panel(RECOVERY.charges).count()]).toEqual([0, 0]);
  }
});

it('shows what became of agreements, the age of their debts and the parts of the money, also of one campaign', async () => {
  const { page } = window;
  const today = localDate(Date.now(), -3);
  const open = await agreements.newPerson(client, [
    [{ dueDate: addDays(today, -40) }],
    [{ dueDate: addDays(today, -400), originalAmount: 250 }],
  ]);
  await agreements.pay(await agreements.agree(client, open), { centavos: 30_000 });
  for (const status of ['COMPLETED', 'COMPLETED', 'BROKEN'] as const) {
    const id = await agreements.agree(client, await agreements.newPerson(client));
    await agreements.pay(id, { centavos: 10_000 });
    await agreements.end(id, status);
  }
  const [first] = open.campaignIds;
  await app.query(
    `insert into campaign_days (campaign_id, client_id, day, slot, recovered_centavos, recovered_fine_centavos,
       charged_fine_centavos, charged_interest_centavos)
     values ($1, $2, current_date, 0, 10200, 200, 250, 100)`,
    [first, client.id],
  );

  await window.visit('/');
  expect(await figures()).toEqual([
    `${RECOVERY.open}1 acordo`,
    `${RECOVERY.kept}2 acordos`,
    `${RECOVERY.broken}1 acordo`,
    `${RECOVERY.recovered}R$ 600,00`,
  ]);
  const ages = panel(RECOVERY.agreements).getByRole('img', { name: CHARTS.agreementAging.name });
  expect(await ages.textContent()).toMatch(/31 a 60 dias.*1\.000,00.*80%.*Mais de 1 ano.*250,00.*20%/);
  await panel(RECOVERY.agreements).getByRole('link', { name: '2 acordos' }).click();
  await page.waitForURL('**/acordos?situacao=COMPLETED');

  await window.visit(`/campanhas/${first}`);
  expect(await figures()).toEqual([
    `${RECOVERY.open}1 acordo`,
    `${RECOVERY.kept}0`,
    `${RECOVERY.broken}0`,
    `${RECOVERY.recovered}R$ 300,00`,
  ]);
  const rows = panel(RECOVERY.charges).locator('tbody tr');
  expect((await rows.allTextContents()).map((row) => row.replaceAll('\u00a0', ' '))).toEqual([
    `${COMPONENT_NAMES.principal}${RECOVERY.nothing}R$ 100,00`,
    `${COMPONENT_NAMES.fine}R$ 2,50R$ 2,00`,
    `${COMPONENT_NAMES.interest}R$ 1,00R$ 0,00`,
  ]);
  expect(await faultsHere(window, 'the page of a campaign')).toEqual([]);
  await panel(RECOVERY.agreements).getByRole('link', { name: RECOVERY.all }).click();
  await page.waitForURL(`**/acordos?campanha=${first}`);
});
