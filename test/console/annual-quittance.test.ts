import { expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { cpfOf } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { billOf } from '../../testing/quittances.ts';
import { QUITTANCE } from '../../web/src/texts/annual-quittance.ts';
import { openConsole } from './support/console.ts';
import { faultsHere } from './support/faults.ts';

const app = await opened(startCampaignsApp());
const client = await app.newClient();
const debtorTaxId = cpfOf(520_000_001);
const may = await billOf(app.query, client.id, { debtorTaxId, dueDate: '2025-05-10', invoiceId: 'FAT-<b>5</b>' });
const open = await billOf(app.query, client.id, { debtorTaxId, dueDate: '2024-05-10', approvedAt: null });
await app.query("update debts set status = 'IN_COLLECTION' where id = $1", [open.debtId]);
const window = await openConsole(app, { client });

it('issues the annual quittance of a person from the page of a paid debt, once it is confirmed', async () => {
  const { page } = window;
  await window.visit(`/dividas/${may.debtId}`);
  await page.getByRole('button', { name: QUITTANCE.open }).click();
  const dialog = page.getByRole('dialog');
  const year = dialog.getByLabel(QUITTANCE.year);
  expect(await year.inputValue()).toBe('2025');

  await year.fill('2024');
  await dialog.getByRole('button', { name: QUITTANCE.look }).click();
  await dialog.getByText(QUITTANCE.because.owed).waitFor();
  expect(await dialog.getByRole('link', { name: QUITTANCE.openBill }).getAttribute('href')).toBe(
    `/dividas/${open.debtId}`,
  );

  await year.fill('2025');
  await dialog.getByRole('button', { name: QUITTANCE.look }).click();
  await dialog.getByText('FAT-<b>5</b>, vencimento em 10/05/2025: R$ 150,75 em 20/11/2026').waitFor();
  await dialog.getByText(QUITTANCE.earlier).waitFor();
  expect(await faultsHere(window, 'the dialog')).toEqual([]);
  await dialog.getByRole('button', { name: QUITTANCE.issue }).click();
  expect(await app.query('select 1 from annual_quittances')).toEqual([]);

  await dialog.getByLabel(QUITTANCE.confirm).check();
  await dialog.getByRole('button', { name: QUITTANCE.issue }).click();
  await dialog.getByText(/^Declaração QA-/).waitFor();
  const [made] = await app.query<{ protocol: string }>('select protocol from annual_quittances');
  const href = await dialog.getByRole('link', { name: made!.protocol }).first().getAttribute('href');
  const { pathname, search } = new URL(href ?? '');
  const pdf = await window.context.request.get(pathname + search);
  expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf']);
});
