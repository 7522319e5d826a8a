import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { readZip } from '../../testing/read-zip.ts';
import { paidDebt } from '../../testing/receipts-harness.ts';
import { COMMON } from '../../web/src/texts/common.ts';
import { RECEIPTS } from '../../web/src/texts/receipts.ts';
import { openConsole } from './support/console.ts';

const DAY = '2026-11-20';

const app = await opened(startCampaignsApp());
const client = await app.newClient();
const ana = await paidDebt(app.query, client.id, { debtorName: 'Ana <b>Souza</b>', amountCentavos: 120_050 });
const { debtId } = await paidDebt(app.query, client.id, { debtorName: 'Bruno Dias', amountCentavos: 30_000 });
const protocol: string = (await client.call('POST', `/api/receipts/${ana.debtId}`)).body.protocol;
const revoked = (await client.call('POST', `/api/receipts/${debtId}`)).body.protocol;
await app.query(`update receipts set revoked_at = now(), revoked_reason = 'refund' where protocol = $1`, [revoked]);
const window = await openConsole(app, { client });

const row = (name: string) => window.page.getByRole('row').filter({ hasText: name });

describe('the screen of the receipts', () => {
  it('lists each with its document and its state', async () => {
    await window.visit('/recibos');
    const line = (await row('Ana').textContent()) ?? '';
    for (const said of ['Ana <b>Souza</b>', 'R$ 1.200,50', protocol, RECEIPTS.valid]) expect(line).toContain(said);
    expect(await row('Bruno Dias').textContent()).toContain('Revogado');
    const href = await row('Ana').getByRole('link', { name: /^PDF/ }).getAttribute('href');
    // In tests the public address is not where the app listens.
    const { pathname, search } = new URL(href ?? '');
    const pdf = await window.context.request.get(pathname + search);
    expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf']);
    expect(await row('Ana').getByRole('link', { name: 'Ana' }).getAttribute('href')).toBe(`/dividas/${ana.debtId}`);
  });

  it('keeps its filters in the address, and says when they leave nothing', async () => {
    await window.visit('/recibos?ate=2020-01-01');
    await window.page.getByText(RECEIPTS.none).waitFor();
    await window.page.getByRole('button', { name: COMMON.clearFilters }).click();
    await row('Ana').waitFor();
    expect(new URL(window.page.url()).search).toBe('');
  });

  it('searches by a name or a protocol, which stays out of the address', async () => {
    await window.page.getByLabel(RECEIPTS.search).fill('ana');
    await row('Bruno Dias').waitFor({ state: 'detached' });
    await row('Ana').waitFor();
    await window.page.getByLabel(RECEIPTS.search).fill(protocol.slice(0, 12).toLowerCase());
    await row('Ana').waitFor();
    expect(new URL(window.page.url()).search).toBe('');
    await window.page.getByRole('button', { name: RECEIPTS.redrawShown }).click();
    await window.page.getByLabel(RECEIPTS.redrawForce).check();
    await window.page.getByRole('button', { name: RECEIPTS.redrawStart, exact: true }).click();
    await window.page.getByRole('dialog').getByText(RECEIPTS.redrawDone(1, 0)).waitFor();
    await window.page.getByRole('button', { name: COMMON.close }).click();
    await window.page.getByLabel(RECEIPTS.search).fill('ninguém');
    await window.page.getByText(RECEIPTS.none).waitFor();
    await window.page.getByRole('button', { name: COMMON.clearFilters }).click();
    await row('Bruno Dias').waitFor();
  });

  it('gives all receipts of a month in one file', async () => {
    await app.query(`update receipts set issued_at = '2026-11-10T12:00:00Z'`);
    await window.page.getByRole('button', { name: RECEIPTS.month }).click();
    await window.page.getByLabel(RECEIPTS.monthOfIssue).selectOption({ label: 'Novembro de 2026' });
    const saved = window.page.waitForEvent('download');
    await window.page.getByRole('dialog').getByRole('button', { name: RECEIPTS.monthStart }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('recibos-2026-11.zip');
    const files = [...readZip(readFileSync(await file.path())).keys()];
    expect(files).toEqual(expect.arrayContaining([`teste/${protocol}.pdf`, 'recibos.csv']));
  });

  it('draws all receipts again and counts them', async () => {
    await window.page.getByRole('button', { name: RECEIPTS.redraw }).click();
    await window.page.getByLabel(RECEIPTS.redrawForce).check();
    await window.page.getByRole('button', { name: RECEIPTS.redrawStart, exact: true }).click();
    await window.page.getByRole('dialog').getByText(RECEIPTS.redrawDone(2, 0)).waitFor();
  });

  it('names the last day on which a listing at a bureau has to be removed', async () => {
    const listing = {
      ...{ id: debtId, debtId, invoiceId: null, debtorName: 'Katia Luz', bureau: 'SPC', sandbox: false },
      ...{ at: '2026-03-01', notifiedAt: '2026-02-01', removedAt: null, state: 'to_remove' },
      // The end of 24 April at the debtor’s place.
      dueAt: '2026-04-25T02:59:59.999Z',
    };
    const path = '**/api/reports/negativations*';
    await window.page.route(path, (route) => route.fulfill({ json: { items: [listing], nextCursor: null } }));
    await window.visit('/recibos?ver=negativacoes');
    expect(await row('Katia Luz').textContent()).toContain('24/04/2026');
    await window.page.unroute(path);
  });

  it('reports what came in, as a table and as a file for the accountant', async () => {
    await window.visit(`/recibos?ver=recebimentos&inicio=${DAY}&fim=${DAY}`);
    expect(await row('Total').textContent()).toContain('R$ 1.500,50');
    const saved = window.page.waitForEvent('download');
    await window.page.getByRole('button', { name: RECEIPTS.csv }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe(`recebimentos-${DAY}-${DAY}.csv`);
    expect(readFileSync(await file.path(), 'utf8')).toContain('1200,50');
  });
});
