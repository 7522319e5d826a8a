import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../testing/app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { writeWorkbook } from '../../testing/workbook.ts';
import { IMPORT } from '../../web/src/texts/import.ts';
import { REHEARSAL } from '../../web/src/texts/rehearsal.ts';
import { focused, pressTabUntil } from './support/accessibility.ts';
import { makeClient } from './support/client.ts';
import { type Console, openConsole } from './support/console.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const HOSTILE = '<img src=x onerror=alert(1)>';
const DAY = 24 * 3_600_000;

const formatted = (cpf: string): string => cpf.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, '$1.$2.$3-$4');
const daysAgo = (days: number): Date => new Date(Math.floor(Date.now() / DAY) * DAY - days * DAY);
const cpf = (n: number): string => formatted(cpfOf(n));

/** As a school keeps it: a cover, a merged title, a header of its own, wrong rows, and a sum below. */
const schoolWorkbook = (): Promise<Buffer> =>
  writeWorkbook({
    Capa: [
      ['Escola', 'Aurora'],
      ['Mês', 'Outubro'],
    ],
    'Em aberto': [
      [{ value: 'Escola Aurora: mensalidades em aberto', columnSpan: 8 }],
      ['Atualizado em', daysAgo(1)],
      [],
      ['Nº', 'Aluno', 'Turma', 'Responsável', 'CPF resp.', 'Contato', 'Mensalidade (R$)', 'Vencto', 'Observação'],
      [1, 'Ana Clara', '5º A', 'Maria Conceição Araújo', cpf(1), '(11) 98765-0001', 1200.5, daysAgo(40), 'bolsa 20 %'],
      [2, 'Bruno', '5º A', 'João D’Ávila', cpf(2), '11 98765 0002', 'R$ 1.300,00', daysAgo(40), ''],
      [3, 'Caio', '5º B', HOSTILE, cpf(3), '+55 (11) 98765-0003', 300, '10/09/2026', '=1+1'],
      [4, 'Davi', '6º A', 'Pedro Lima', '123.456.789-00', '(11) 98765-0004', 300, daysAgo(40), ''],
      [5, 'Elisa', '6º A', 'Rita Prado', cpf(5), '98765-0005', '=1+1', HOSTILE, ''],
      [null, null, null, null, null, 'TOTAL', 3100.5],
    ],
  });

const fileOf = (name: string, buffer: Buffer, mimeType = XLSX) => ({ name, buffer, mimeType });

const app = await opened(startApp());
const client = await makeClient(app);
const window = await openConsole(app, { client });
// With a listener the browser hands over every choice of a file from here on, also one that is quickly asked for.
window.page.on('filechooser', () => undefined);

const createCampaign = async (name: string): Promise<string> =>
  (await app.post<{ id: string }>('/api/campaigns', { name }, client.token)).body.id;

/** Presses the button by keyboard and hands the browser's own dialog the file. */
async function chooseFile({ page }: Console, file: ReturnType<typeof fileOf>): Promise<void> {
  await pressTabUntil(page, IMPORT.choose);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
  await chooser.setFiles(file);
}

const heading = (name: string) => window.page.getByRole('heading', { name, level: 2 });
const press = async (name: string | RegExp): Promise<void> => {
  await pressTabUntil(window.page, name);
  await window.page.keyboard.press('Enter');
};

describe('a spreadsheet as a school keeps it', () => {
  it('is imported, rehearsed and launched as a test by keyboard alone', async () => {
    const { page } = window;
    const campaignId = await createCampaign('Mensalidades de outubro');
    await window.visit(`/campanhas/${campaignId}/importar`);
    await chooseFile(window, fileOf('alunos.xlsx', await schoolWorkbook()));

    await heading('Diga o que é cada coluna').waitFor();
    await window.ready();
    // The step that appears takes the focus, so that the next Tab goes on from there.
    expect((await focused(page)).name).toBe('Diga o que é cada coluna');
    // The header says nothing; its values are phones.
    await page.getByText('O título “Contato” não diz o que a coluna é').waitFor();
    await pressTabUntil(page, IMPORT.fieldOf('Contato'));
    expect(await page.getByLabel(IMPORT.fieldOf('Contato')).inputValue()).toBe('debtorPhone');
    await page.keyboard.press('Home');
    await page.getByText(IMPORT.missing(['Telefone']), { exact: true }).waitFor();
    // The line of what is missing offers the column that looks like it, and the focus goes on to that column.
    await pressTabUntil(page, IMPORT.takeColumn('Contato'), { backwards: true });
    await page.keyboard.press('Enter');
    await page.getByText(IMPORT.missing(['Telefone']), { exact: true }).waitFor({ state: 'detached' });
    // The focus follows the change of the page.
    const chosen = IMPORT.fieldOf('Contato');
    await until('the column has the focus', async () => (await focused(page)).name === chosen);
    await press(/^Conferir 5 linhas/);

    await heading('Confira antes de importar').waitFor();
    await window.ready();
    const main = page.getByRole('main');
    expect(await main.textContent()).toContain('somam R$ 2.800,50');
    await page.getByText(IMPORT.ignored(1, [10])).waitFor();
    const rows = await page.getByRole('table').getByRole('row').allTextContents();
    expect(rows.some((row) => row.includes('8') && row.includes('CPF resp.') && row.includes('CPF não confere'))).toBe(
      true,
    );
    // Cells that would be markup or a formula elsewhere are text.
    const cells = await page.getByRole('table').getByRole('textbox').all();
    const values = await Promise.all(cells.map((cell) => cell.inputValue()));
    expect(values).toEqual(expect.arrayContaining(['=1+1', HOSTILE]));
    expect(await page.locator('main img').count()).toBe(0);

    await pressTabUntil(page, IMPORT.downloadWrong(2));
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    const csv = await readFile((await download.path())!, 'utf8');
    expect(csv.split('\r\n')[0]).toMatch(/;erro$/);
    expect(csv).toContain('Pedro Lima;123.456.789-00;');
    expect(csv).toContain("'=1+1");
    expect(csv).not.toContain('João');

    await pressTabUntil(page, IMPORT.import(3), { backwards: true });
    await page.keyboard.press('Enter');
    await heading('Planilha importada').waitFor();
    expect(await main.textContent()).toContain('3 dívidas entraram, no valor de R$ 2.800,50.');
    await press(IMPORT.toRehearsal);

    await page.getByRole('heading', { name: REHEARSAL.when }).waitFor();
    await window.ready();
    const rehearsal = (await main.textContent()) ?? '';
    expect(rehearsal).toContain('somam R$ 2.800,50');
    expect(rehearsal).toContain('Maria');
    await press(REHEARSAL.launchTest);
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('É um teste');
    await press(REHEARSAL.launchTest);
    await page.waitForURL(`**/campanhas/${campaignId}`);
    const campaign = await app.get<{ status: string; sandbox: boolean }>(`/api/campaigns/${campaignId}`, client.token);
    expect(campaign.body).toMatchObject({ status: 'RUNNING', sandbox: true });
  });

  it('changes nothing the second time, and its columns are remembered by their headers alone', async () => {
    const { page } = window;
    const campaignId = await createCampaign('De novo');
    await window.visit(`/campanhas/${campaignId}/importar`);
    await chooseFile(window, fileOf('alunos.xlsx', await schoolWorkbook()));
    await heading('Diga o que é cada coluna').waitFor();
    await window.ready();
    await press(/^Conferir 5 linhas/);
    await heading('Confira antes de importar').waitFor();
    await window.ready();
    const figures = await page.locator('dl').first().textContent();
    expect(figures).toContain('Entram0');
    expect(figures).toContain('Repetidas3');
    await page.getByText(IMPORT.nothingNewButWrong(3)).waitFor();
    await page.getByRole('link', { name: IMPORT.toRehearsal }).waitFor();
    const stored = await page.evaluate<string>('JSON.stringify(Object.entries(localStorage))');
    expect(stored).toContain('Contato');
    expect(stored).not.toMatch(/Maria|98765|Pedro/);
    // The browser's own button goes back one step, with the choices still there.
    await page.goBack();
    await heading('Diga o que é cada coluna').waitFor();
    expect(await page.getByLabel(IMPORT.fieldOf('Contato')).inputValue()).toBe('debtorPhone');
  });

  it('that is none is refused with the reason, before anything is sent', async () => {
    const campaignId = await createCampaign('Recusada');
    await window.visit(`/campanhas/${campaignId}/importar`);
    const { page } = window;
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await chooseFile(window, fileOf('alunos.pdf', Buffer.from('%PDF-1.7 x'), 'application/pdf'));
    await page.getByText('É um PDF.').waitFor();
    expect(sent.filter((url) => url.includes('/import/'))).toEqual([]);
    const dropped = await page.evaluateHandle(
      `(() => { const given = new DataTransfer(); given.items.add(new File([''], 'nada.csv')); return given; })()`,
    );
    await page.getByText(IMPORT.dropHere).dispatchEvent('drop', { dataTransfer: dropped });
    await page.getByText(IMPORT.refusals.empty).waitFor();
    // A damaged workbook is only seen by the server; its reason has Portuguese words too.
    window.allow(/^400 POST \/api\/import\/file/);
    await chooseFile(window, fileOf('alunos.xlsx', Buffer.from('PK\x03\x04 damaged')));
    await page.getByText(/O arquivo está danificado|Não é uma planilha/).waitFor();
  });
});

describe('a launch for real people', () => {
  const json = (body: object) => ({ status: 200, contentType: 'application/json', body: JSON.stringify(body) });

  it('names what is missing first, then asks for the name of the campaign, and shows what a channel lacks', async () => {
    const { page } = window;
    const campaignId = await createCampaign('Para valer');
    const debts = [debtInput(900)];
    await app.post(`/api/import/json/${campaignId}`, { clientId: client.id, debts }, client.token);
    await page.route('**/api/console', (route) =>
      route.fulfill(json({ version: '1', sandboxOnly: false, mail: 'sandbox', identity: null })),
    );
    await window.visit(`/campanhas/${campaignId}/ensaio`);
    const launch = page.getByRole('button', { name: REHEARSAL.launch });
    const dialog = page.getByRole('dialog');
    await launch.click();
    expect(await dialog.getByRole('listitem').allTextContents()).toContain('CNPJ da empresa');
    expect(await dialog.getByRole('button', { name: REHEARSAL.launch }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // The account is complete now, but a channel is not ready.
    const { body: account } = await app.get<object>('/api/onboarding/me', client.token);
    await page.route('**/api/onboarding/me', (route) => route.fulfill(json({ ...account, missing: [] })));
    const launches: string[] = [];
    await page.route('**/launch?*', (route) => {
      launches.push(route.request().url());
      const missing = [{ channel: 'whatsapp', template: 'lembrete', reason: 'rejected TAG_CONTENT_MISMATCH' }];
      const problem = { status: 409, code: 'channel_not_ready', title: '', type: '', requestId: 'r1', missing };
      return route.fulfill({ ...json(problem), status: 409, contentType: 'application/problem+json' });
    });
    window.allow(`409 POST /api/campaigns/${campaignId}/launch`);
    await window.visit(`/campanhas/${campaignId}/ensaio`);
    await launch.click();
    expect(await dialog.textContent()).toContain('não pode ser desfeito');
    const name = dialog.getByRole('textbox');
    await name.fill('Outra');
    await page.keyboard.press('Enter');
    expect(launches).toEqual([]);
    await name.fill('Para valer');
    await page.keyboard.press('Enter');
    await dialog.getByText('WhatsApp: modelo de mensagem recusado, lembrete, TAG_CONTENT_MISMATCH').waitFor();
    expect(launches).toEqual([expect.stringContaining('sandbox=false')]);
  });
});
