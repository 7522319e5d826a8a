import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { type EvidenceKey, verifyPack } from '../../src/modules/evidence/use-cases/verify-pack.ts';
import { debtInput } from '../../testing/debts.ts';
import { collector, type Debt, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { COMMON } from '../../web/src/texts/common.ts';
import { DEBT } from '../../web/src/texts/debt.ts';
import { REFUNDS } from '../../web/src/texts/refunds.ts';
import { focused, pressTabUntil } from './support/accessibility.ts';
import { openConsole } from './support/console.ts';
import { faultsOf } from './support/faults.ts';

const NAME = 'Ana <b>Souza</b>';
const HOSTILE = '<script>alert(1)</script> paguei \u202e00,1 $R\u202c em https://outro.exemplo/p';
const CPF = '529.982.247-25';

const app = await opened(startCollectionApp());
const client = await app.newClient();
const staff = collector(client);
// The phone of debt 1 ends in 0001: its debtor pays after the first message.
const id = await staff.launchOne({ debtorName: NAME, debtorCpf: '52998224725', originalAmount: 1_200.5 }, 1);
const held: string = await staff.launchOne({ debtorName: 'Bruno Dias' }, 31);
const draft = await client.createCampaign();
await client.importJson(draft, [
  debtInput(32, { debtorCpf: debtInput(31).debtorCpf, originalAmount: 99.9, dueDate: '2026-03-02', invoiceId: 'B-2' }),
  debtInput(33),
]);
await staff.reaches(id, 'the receipt', (debt) => debt.timeline.some(({ kind }) => kind === 'receipt_issued'));
await staff.say(id, HOSTILE);
await staff.say(held, 'Quero falar com um atendente');
await staff.reaches(held, 'the hold', ({ status }) => status === 'ON_HOLD');
// Each message of a paid debt gets one reply, with which its timeline is complete.
const isAnswered = ({ timeline }: Debt) => timeline.findLast(({ kind }) => kind.startsWith('message'))?.['purpose'];
const paid = await staff.reaches(id, 'the reply', (debt) => isAnswered(debt) === 'reply');
const window = await openConsole(app, { client });

const history = () => window.page.getByRole('list', { name: /^Histórico/ });
const lines = (): Promise<string[]> => history().locator(':scope > li > ol > li').allTextContents();

/** What the line of an entry has to say. */
function saidOf({ kind, ...entry }: Debt['timeline'][number]): string {
  const said: Readonly<Record<string, string>> = {
    imported: 'Importada',
    scored: `Avaliada: ${entry['score']} pontos`,
    verdict: entry['allowed'] === true ? 'Permitido' : 'Não permitido',
    charge_created: 'Código Pix criado',
    status_changed: 'Situação:',
    payment_approved: 'Pagou R$ 1.200,50',
    receipt_issued: `Termo de quitação ${entry['protocol']}`,
    message_received: 'Pessoa',
    message_sent: 'Assistente',
    email_sent: 'Termo de quitação por e-mail',
  };
  return said[kind] ?? `no word for ${kind}`;
}

describe('the screen of one debt', () => {
  it('gives the evidence as a file that the deployment itself finds whole', async () => {
    const { page } = window;
    await window.visit(`/dividas/${paid.id}`);
    const button = page.getByRole('button', { name: DEBT.evidenceDownload });
    await button.waitFor();
    const saved = page.waitForEvent('download');
    await button.press('Enter');
    const download = await saved;
    expect(download.suggestedFilename()).toBe(`provas-${paid.id}.zip`);
    const bytes = new Uint8Array(await readFile(await download.path()));
    const { keys } = (await (await fetch(`${app.url}/.well-known/quita-evidence.json`)).json()) as {
      keys: EvidenceKey[];
    };
    const { manifest, problems } = await verifyPack(bytes, keys);
    expect([manifest?.debtId, problems]).toEqual([paid.id, []]);
  });

  it('shows each verdict, message and payment in order, and a stranger’s words as plain text', async () => {
    await window.visit(`/dividas/${paid.id}`);
    await history().waitFor();
    const shown = await lines();
    expect(shown).toHaveLength(paid.timeline.length);
    for (const [index, entry] of paid.timeline.entries()) expect(shown[index]).toContain(saidOf(entry));
    const verdict = paid.timeline.find(({ kind }) => kind === 'verdict')!;
    expect(shown[paid.timeline.indexOf(verdict)]).toContain(`versão ${verdict['pack'].version}`);
    const page = (await window.page.locator('main').textContent()) ?? '';
    expect(page).toContain('<script>alert(1)</script> paguei \ufffd00,1 $R\ufffd em https://outro.exemplo/p');
    expect(page).toContain('Relógio do simulador');
    expect(await window.page.locator('h1').textContent()).toBe(NAME);
    expect(await window.page.locator('main script, main b, a[href*="outro.exemplo"]').count()).toBe(0);
    expect(await window.page.title()).toBe('Dívida · Quita');
  });

  it('shows only what is asked for', async () => {
    await window.page.getByRole('button', { name: DEBT.money }).click();
    const shown = await lines();
    expect(shown[0]).toContain('Código Pix criado');
    expect(shown.some((line) => line.includes('Permitido') || line.includes('Assistente'))).toBe(false);
    expect(new URL(window.page.url()).search).toBe('?ver=dinheiro');
  });

  it('hides the CPF until it is asked for', async () => {
    const main = window.page.locator('main');
    expect(await main.textContent()).toContain('***.982.247-**');
    expect(await window.page.content()).not.toContain(CPF);
    await window.page.getByRole('button', { name: `${COMMON.show} ${DEBT.cpf}` }).click();
    expect(await main.textContent()).toContain(CPF);
  });

  it('leads to the page of rights of the person', async () => {
    const link = window.page.getByRole('link', { name: DEBT.openRights });
    expect(await link.getAttribute('href')).toBe((await client.call('GET', `/api/debts/${paid.id}`)).body.rightsUrl);
  });

  it('opens the receipt and the page that verifies it', async () => {
    const open = async (name: RegExp) => {
      const href = await history().getByRole('link', { name }).getAttribute('href');
      // In tests the public address is not where the app listens.
      const { pathname, search } = new URL(href ?? '');
      return window.context.request.get(pathname + search);
    };
    const pdf = await open(/^Recibo \(PDF\)/);
    expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf']);
    const verified = await open(/^Verificar/);
    expect([verified.status(), verified.headers()['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const { protocol } = paid.timeline.find(({ kind }) => kind === 'receipt_issued') as unknown as { protocol: string };
    expect(await verified.text()).toContain(protocol);
  });

  it('takes a note and resumes the debt by the keyboard alone', async () => {
    await window.visit(`/dividas/${held}`);
    await window.page.getByText('Espera uma decisão sua').waitFor();
    await pressTabUntil(window.page, DEBT.note, { role: 'button' });
    await window.page.keyboard.press('Enter');
    await pressTabUntil(window.page, /^Anotação/);
    await window.page.keyboard.type('Ligou para a escola: <i>bolsa</i> de 20 %.');
    await pressTabUntil(window.page, COMMON.save, { role: 'button' });
    await window.page.keyboard.press('Enter');
    await history().getByText('Ligou para a escola: <i>bolsa</i> de 20 %.').waitFor();
    await window.page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await focused(window.page)).toEqual({ role: 'button', name: DEBT.note });
    await pressTabUntil(window.page, DEBT.resume, { role: 'button', backwards: true });
    await window.page.keyboard.press('Enter');
    await window.page.getByText(DEBT.resumed).waitFor();
    await staff.reaches(held, 'the resumption', ({ timeline }) =>
      timeline.some(({ kind, ...entry }) => kind === 'status_changed' && entry['from'] === 'ON_HOLD'),
    );
    await history().getByText('Quem retomou: sua equipe, no console').waitFor();
    // The button is gone, so the focus is on the sentence about what happens now.
    expect(await window.page.evaluate<string>('document.activeElement.tagName')).toBe('P');
  });

  it('gives an amount of a payment back by a dialog, and shows how it stands', async () => {
    await window.visit(`/dividas/${paid.id}`);
    const heading = window.page.getByRole('heading', { name: REFUNDS.payments, exact: true });
    const payments = window.page.locator('section').filter({ has: heading });
    await payments.getByRole('button', { name: REFUNDS.give }).click();
    const dialog = window.page.getByRole('dialog');
    await dialog.getByLabel(REFUNDS.amount).fill('200,50');
    await dialog.getByLabel(REFUNDS.reason).fill('Pagou a <b>multa</b> por engano');
    await dialog.getByRole('button', { name: REFUNDS.give }).click();
    await dialog.waitFor({ state: 'hidden' });
    await payments.getByText('Pagou a <b>multa</b> por engano').waitFor();
    await payments.getByText(REFUNDS.states.done).waitFor();
    await payments.getByRole('button', { name: REFUNDS.give }).click();
    await dialog.getByText(REFUNDS.amountHint('R$ 1.000,00')).waitFor();
    await dialog.getByLabel(REFUNDS.amount).fill('1.000,01');
    await dialog.getByLabel(REFUNDS.reason).fill('Tudo');
    window.allow(/^409 POST \/api\/payments\/.*\/refund/);
    await dialog.getByRole('button', { name: REFUNDS.give }).click();
    await dialog.getByRole('alert').waitFor();
  });

  it('leads to the other debts of the person, and says what they come to', async () => {
    await window.visit(`/dividas/${held}`);
    const others = window.page.locator('section').filter({ hasText: DEBT.othersOfPerson(1) });
    await others.getByText(DEBT.othersOpen('R$ 99,90')).waitFor();
    await others.getByText('B-2').waitFor();
    await others.getByRole('link', { name: DEBT.other('R$ 99,90', '02/03/2026') }).click();
    await window.page.getByText(DEBT.othersOpen('R$ 150,75')).waitFor();
    await window.visit(`/dividas/${paid.id}`);
    expect(await window.page.getByRole('heading', { name: /^Outras dívidas/ }).count()).toBe(0);
  });

  it('says what is left of a debt of which a part was paid', async () => {
    const part = { amount: 50.25, paidAt: '2026-11-18', method: 'cash' };
    expect((await client.call('POST', `/api/debts/${held}/settle`, part)).status).toBe(200);
    await window.visit(`/dividas/${held}`);
    const owed = window.page
      .locator('section')
      .filter({ has: window.page.getByRole('heading', { name: DEBT.owedToday }) });
    await owed.getByText('R$ 100,50', { exact: true }).last().waitFor();
    await owed.getByText(DEBT.paidSoFar('R$ 50,25')).waitFor();
  });

  it.each(['paid', 'held'])('can be used by everybody when the debt is %s', async (which) => {
    expect(await faultsOf(window, `/dividas/${which === 'paid' ? paid.id : held}`)).toEqual([]);
  });
});
