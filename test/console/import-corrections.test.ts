import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../testing/app.ts';
import { cpfOf } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { writeWorkbook } from '../../testing/workbook.ts';
import { COMMON } from '../../web/src/texts/common.ts';
import { IMPORT } from '../../web/src/texts/import.ts';
import { SHELL } from '../../web/src/texts/shell-texts.ts';
import { axeViolations, focused } from './support/accessibility.ts';
import { makeClient } from './support/client.ts';
import { openConsole } from './support/console.ts';

const cpf = (n: number): string => cpfOf(400_000_000 + n).replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4');

/** As a clinic keeps it: months between the rows, sums, remarks, two columns of phones without a header that says so. */
const CLINIC = [
  ['Nome', 'Contato', 'Outro', 'CPF', 'Valor', 'Vencimento', 'Observação'],
  ['Setembro/2026', '', '', '', '', '', ''],
  ['Ana Souza', '(11) 98765-0001 (mãe)', '11 98765-0011', cpf(1), '300,00', '05/09/26', ''],
  ['Pedro Souza (resp. Cláudia Souza)', '(11) 98765-0002', '11 98765-0012', cpf(2), '400,00', '09.09.2026', ''],
  ['Subtotal', '', '', '', '700,00', '', ''],
  ['Bruno Dias', '(11) 98765-0003', '11 98765-0013', '123', '600,00', '31/09/2026', ''],
  ['Rita Prado', '(11) 98765-0004', '11 98765-0014', cpf(4), '800,00', '20/10/2026', 'não cobrar – processo'],
  ['TOTAL GERAL', '', '', '', '2.100,00', '', ''],
];
const csv = (rows: readonly (readonly string[])[]): string => rows.map((row) => row.join(';')).join('\n');
interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

const CSV_FILE: ChosenFile = { name: 'clinica.csv', mimeType: 'text/csv', buffer: Buffer.from(csv(CLINIC)) };

const app = await opened(startApp());
const client = await makeClient(app, { name: 'Clínica Aurora' });
const window = await openConsole(app, { client });

const createCampaign = async (name: string): Promise<string> =>
  (await app.post<{ id: string }>('/api/campaigns', { name }, client.token)).body.id;

const heading = (name: string) => window.page.getByRole('heading', { name, level: 2 });
const button = (name: string | RegExp) => window.page.getByRole('button', { name });
const choose = async (file: ChosenFile): Promise<void> => {
  await window.page.locator('input[type=file]').setInputFiles(file);
  await heading('Diga o que é cada coluna').waitFor();
  await window.ready();
};
const faults = async (): Promise<string[]> => {
  const found: string[] = [];
  for (const width of [1366, 390, 320]) {
    for (const theme of ['light', 'dark'] as const) {
      await window.show({ width, theme });
      found.push(...(await axeViolations(window.page)).map((one) => `${width} ${theme}: ${one}`));
    }
    if (await window.scrollsSideways()) found.push(`${width}: scrolls sideways`);
  }
  await window.show({ width: 1366, theme: 'light' });
  return found;
};

describe('a spreadsheet as a clinic keeps it', () => {
  it('is corrected on the page, checked again and imported as it was checked', async () => {
    const { page } = window;
    await window.show({ width: 1366 });
    const campaignId = await createCampaign('Consultas de setembro');
    await window.visit(`/campanhas/${campaignId}/importar`);
    await choose(CSV_FILE);

    // Two columns look like phones, so the person says which one is it.
    const lacking = page.getByRole('row', { name: 'Falta: Telefone *' });
    expect(await lacking.getByRole('button').allTextContents()).toEqual(['Usar “Contato”', 'Usar “Outro”']);
    const ofContact = page.getByRole('combobox', { name: IMPORT.fieldOf('Contato') });
    const groups = await ofContact.locator('optgroup').all();
    expect(await Promise.all(groups.map((group) => group.getAttribute('label')))).toEqual([
      ...['Obrigatórios *', IMPORT.groups.phone, IMPORT.groups.taxId, IMPORT.groups.optional],
    ]);
    await page.getByText('Anos com dois dígitos são lidos como 20xx').waitFor();
    expect(await faults()).toEqual([]);
    await button('Usar “Contato”').click();
    await lacking.waitFor({ state: 'detached' });
    expect(await ofContact.inputValue()).toBe('debtorPhone');
    await button('Conferir 4 linhas').click();

    await heading('Confira antes de importar').waitFor();
    await window.ready();
    await page.getByText(IMPORT.ignored(3, [2, 5, 8])).waitFor();
    await page.getByText('Vencimento: setembro não tem dia 31').waitFor();
    await button('Importar as 3 linhas').waitFor();
    expect(await faults()).toEqual([]);

    // Nobody is collected from by oversight against a remark of the office.
    await button('Importar as 3 linhas').click();
    await page.getByRole('heading', { name: IMPORT.remarksTitle }).waitFor();
    await page.getByText(IMPORT.remarksConfirm(1)).waitFor();
    expect(await faults()).toEqual([]);
    await button(COMMON.cancel).click();

    // What was corrected and not checked cannot be imported.
    await page.getByLabel(IMPORT.cellOf(6, 'CPF')).fill(cpf(3));
    await page.getByLabel(IMPORT.cellOf(6, 'Vencimento')).fill('30/09/2026');
    expect(await button(/^Importar/).count()).toBe(0);
    await button(/^Avisos/).click();
    await page.getByText('Nas mensagens a pessoa será “Pedro”').waitFor();
    await page.getByLabel(IMPORT.cellOf(4, 'Nome')).fill('Cláudia Souza');
    await page.getByLabel(IMPORT.leaveOutRowOf(7)).check();
    await page.getByText(IMPORT.stale(3, 1)).waitFor();
    expect(await faults()).toEqual([]);
    await page.getByLabel(IMPORT.cellOf(4, 'Nome')).press('Enter');

    await page.getByText('É assim que a planilha será importada.').waitFor();
    await window.ready();
    expect((await focused(page)).name).toBe('Confira antes de importar');
    expect(await faults()).toEqual([]);
    await button('Importar as 3 linhas').click();
    await heading('Planilha importada').waitFor();
    const done = await page.getByRole('main').textContent();
    expect(done).toContain('3 dívidas entraram, no valor de R$ 1.300,00.');
    expect(done).toContain('1 linha não entrou porque você a deixou de fora.');
    expect(await faults()).toEqual([]);
    const stored = await app.get<{ items: { debtorName: string; debtorPhone: string; dueDate: string }[] }>(
      `/api/campaigns/${campaignId}/debts`,
      client.token,
    );
    expect(stored.body.items.map(({ debtorName, debtorPhone, dueDate }) => [debtorName, debtorPhone, dueDate])).toEqual(
      [
        ['Ana Souza', '+5511987650001', '2026-09-05'],
        ['Cláudia Souza', '+5511987650002', '2026-09-09'],
        ['Bruno Dias', '+5511987650003', '2026-09-30'],
      ],
    );
  });

  it('takes corrections and rows back before anything is imported', async () => {
    const { page } = window;
    await window.visit(`/campanhas/${await createCampaign('Voltar atrás')}/importar`);
    await choose(CSV_FILE);
    // The choice of the last import is taken again.
    await button('Conferir 4 linhas').click();
    await page.getByLabel(IMPORT.leaveOutRowOf(6)).first().check();
    expect(await page.getByLabel(IMPORT.cellOf(6, 'CPF')).isDisabled()).toBe(true);
    await button('Conferir de novo').first().click();
    await page.getByText(IMPORT.corrected(0, 1)).waitFor();
    await button('Trazer de volta').click();
    await page.getByText(IMPORT.staleUndone).waitFor();
    await button('Conferir de novo').first().click();
    const wrong = page.getByLabel(IMPORT.cellOf(6, 'CPF'));
    await wrong.fill('1');
    await button('Desfazer as correções').click();
    expect(await wrong.inputValue()).toBe('123');
    await page.getByText('Confira de novo').waitFor({ state: 'detached' });
  });

  it('keeps its sheet and the choice of columns over a reload, and no person of it', async () => {
    const { page } = window;
    const campaignId = await createCampaign('Recarregada');
    await window.visit(`/campanhas/${campaignId}/importar`);
    const buffer = await writeWorkbook({ Janeiro: CLINIC, Fevereiro: CLINIC });
    const file = { name: 'clinica.xlsx', mimeType: 'application/octet-stream', buffer };
    await choose(file);
    await page.getByLabel(IMPORT.sheet).selectOption('Fevereiro');
    await window.ready();
    await page.getByLabel(IMPORT.fieldOf('Outro')).selectOption('debtorPhone');
    await page.getByLabel(IMPORT.fieldOf('Observação')).selectOption('description');
    const kept = await page.evaluate<string>('JSON.stringify(Object.entries(sessionStorage))');
    expect(kept).toContain('Outro');
    expect(kept).not.toMatch(/Ana|Pedro|98765|processo/);

    await page.reload();
    await window.ready();
    await page.getByText('Escolha outra vez “clinica.xlsx”: as suas escolhas de colunas continuam.').waitFor();
    expect(await faults()).toEqual([]);
    await choose(file);
    expect(await page.getByLabel(IMPORT.sheet).inputValue()).toBe('Fevereiro');
    expect(await page.getByLabel(IMPORT.fieldOf('Outro')).inputValue()).toBe('debtorPhone');
    expect(await page.getByLabel(IMPORT.fieldOf('Observação')).inputValue()).toBe('description');
    // Another campaign knows nothing of it, and after a sign-out nobody does.
    await window.visit(`/campanhas/${await createCampaign('Outra')}/importar`);
    expect(await page.getByText('Escolha outra vez').count()).toBe(0);
    await page.getByRole('button', { name: 'Clínica Aurora' }).click();
    await page.getByRole('button', { name: SHELL.signOut, exact: true }).click();
    await page.waitForURL('**/entrar');
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Outro');
  });
});
