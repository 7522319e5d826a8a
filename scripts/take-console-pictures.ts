/**
 * Takes the pictures of the console for the README and `docs/console.md`, as a new company on a running sandbox sees it:
 * `node scripts/take-console-pictures.ts http://127.0.0.1:3000`.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const OUTPUT = fileURLToPath(new URL('../docs/images/', import.meta.url));
const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const SIZE = { width: 1280, height: 860 };
/** How long the ten debtors of the example need in the sandbox. */
const PLAYED_MS = 20_000;

const SHEET = `Mensalidades em aberto;;;;
Aluno;Celular do responsável;CPF;Valor;Vencimento
Ana Souza Lima;(11) 98765-0001;529.982.247-25;1.200,50;10/09/2026
Bruno Dias Ferreira;(21) 97654-0002;111.444.777-35;300,00;05/10/2026
Carla Menezes;(31) 98854-0003;123.456.789-00;450,00;05/10/2026
Diego Farias;1234;390.533.447-05;150,75;31/02/2026
`;

const [url = 'http://127.0.0.1:3000'] = process.argv.slice(2);
await mkdir(OUTPUT, { recursive: true });
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const context = await browser.newContext({ baseURL: url, locale: 'pt-BR', viewport: SIZE, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const settle = () => page.waitForTimeout(1_500);
  const picture = async (name: string): Promise<void> => {
    await settle();
    await page.screenshot({ path: join(OUTPUT, `console-${name}.png`) });
  };
  const visit = async (path: string): Promise<void> => {
    await page.goto(path);
    await page.locator('h1').first().waitFor();
  };

  await visit('/criar-conta');
  await page.getByLabel('Nome da empresa').fill('Escola Aurora');
  await page.getByLabel('E-mail da empresa').fill(`financeiro@escola-${Date.now()}.com.br`);
  await page.locator('input[name=password]').fill('Segredo123');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Usar o exemplo' }).click();
  await page.waitForURL(/\/ensaio$/);
  const campaign = new URL(page.url()).pathname.replace(/\/ensaio$/, '');
  await page.waitForTimeout(8_000);
  await picture('ensaio');
  await page.getByRole('button', { name: /^Lançar/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Lançar/ })
    .click();
  await page.waitForURL(new RegExp(`${campaign}$`));
  await page.waitForTimeout(PLAYED_MS);
  await picture('campanha');
  await visit('/');
  await picture('inicio');
  await visit('/atendimento');
  await picture('atendimento');
  await visit('/recibos');
  await page.locator('table a').first().click();
  await page.waitForURL(/\/dividas\//);
  await picture('divida');
  await visit(page.url().replace('/dividas/', '/simulador/'));
  await picture('simulador');

  await visit('/campanhas?criar=sim');
  await page.getByRole('dialog').getByLabel('Nome').fill('Mensalidades de outubro');
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await page.waitForURL(/\/importar$/);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'alunos.csv', mimeType: 'text/csv', buffer: Buffer.from(SHEET) });
  await settle();
  const check = page.getByRole('button', { name: /^Conferir/ });
  if (await check.isVisible()) await check.click();
  await picture('importar');
} finally {
  await browser.close();
}
