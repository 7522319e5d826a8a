/**
 * Takes the pictures of the console and of the debtor's pages for the README and the documents, as new companies on a
 * running sandbox see them: `node scripts/take-console-pictures.ts http://127.0.0.1:3000`. Groups behind the address
 * (`console`, `lists`, `charges`, `reminders`, `agreements`, `payments`, `account`, `operators`) take only their pictures.
 * `operators` needs the link of `quita operators invite` in OPERATOR_INVITATION. `channels` is taken only when it is named, because a sandbox has
 * no channels: `MESSAGING_CHANNEL` of its deployment names real ones, one of which it connects with CHANNEL_TO_CONNECT, and
 * DATABASE_OWNER_URL is its database, in which the reports of a month are entered.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Secret, TOTP } from 'otpauth';
import { Client } from 'pg';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { OFFERS_POLICY } from '../testing/offers-policy.ts';
import { LET_OWNER_SEE } from '../testing/owner-sees.ts';

const OUTPUT = fileURLToPath(new URL('../docs/images/', import.meta.url));
const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const SIZE = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 844 };
/** How long the debtors of the example need in the sandbox. */
const PLAYED_MS = 20_000;
/** A debtor of the example who never answers, so that nothing but this script decides about the debt. */
const SILENT_DEBTOR = 'Isadora';

const SHEET = `Mensalidades em aberto;;;;
Aluno;Celular do responsável;CPF;Valor;Vencimento
Ana Souza Lima;(11) 98765-0001;529.982.247-25;1.200,50;10/09/2026
Bruno Dias Ferreira;(21) 97654-0002;111.444.777-35;300,00;05/10/2026
Carla Menezes;(31) 98854-0003;123.456.789-00;450,00;05/10/2026
Diego Farias;1234;390.533.447-05;150,75;31/02/2026
`;

/** The newest sender has delivered 840 answers and 412 templates for the newest debt. */
const MESSAGES_OF_MONTH = `
  with sender as (select client_id, sender_id from channel_senders order by created_at desc limit 1),
  debt as (select debts.id, debts.campaign_id, client_id from debts join sender using (client_id) limit 1),
  made as (
    insert into messages (client_id, debt_id, direction, channel, sender_id, purpose, text, delivery, at)
    select client_id, debt.id, 'out', 'whatsapp', sender_id, 'reply', 'Olá', 'delivered', now()
    from sender join debt using (client_id) cross join generate_series(1, 1252) returning id)
  insert into counted_messages (message_id, client_id, campaign_id, channel, sender_id, kind, accepted_at, reported_at, delivered_at)
  select made.id, client_id, debt.campaign_id, 'whatsapp', sender_id,
    case when row_number() over () <= 412 then 'utility' else 'service' end, now(), now(), now()
  from made cross join debt join sender using (client_id)`;
const TEMPLATE_OF_MARKETING = `
  update channel_templates set state = 'approved', marketing_from = now()
  where name = (select min(name) from channel_templates)`;

const [url = 'http://127.0.0.1:3000', ...chosen] = process.argv.slice(2);
/** Changes of a page that nobody else makes are drawn within this time. */
const settle = (page: Page): Promise<void> => page.waitForTimeout(1_500);

async function picture(page: Page, name: string, shown: Page | Locator = page): Promise<void> {
  await settle(page);
  await shown.screenshot({ path: join(OUTPUT, `${name}.png`) });
}

const MARGIN = 24;
/** Takes a part of a screen with some of what is around it, from its top, once what was announced has gone. */
async function pictureAround(page: Page, name: string, part: Locator, most: number): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(6_000);
  const box = await part.boundingBox();
  if (box === null) throw new Error(`${name} shows nothing`);
  const [x, y] = [Math.max(0, box.x - MARGIN), Math.max(0, box.y - MARGIN)];
  const clip = { x, y, width: box.width + 2 * MARGIN, height: Math.min(most, box.height + 2 * MARGIN) };
  await page.screenshot({ path: join(OUTPUT, `${name}.png`), fullPage: true, clip });
}

/** Makes the window as high as its screen, so that what stays at its edges is where people see it, up to a limit. */
async function growWindow(page: Page, most: number): Promise<void> {
  await settle(page);
  const height = await page.evaluate('document.documentElement.scrollHeight');
  const { width } = page.viewportSize() ?? SIZE;
  await page.setViewportSize({ width, height: Math.min(most, Number(height)) });
  await page.evaluate('scrollTo(0, 0)');
}

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('h1').first().waitFor();
}

/** Opens the console as a new company. */
async function newCompany(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, locale: 'pt-BR', viewport: SIZE, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await visit(page, '/criar-conta');
  await page.getByLabel('Nome da empresa').fill('Escola Aurora');
  await page.getByLabel('E-mail da empresa').fill(`financeiro@escola-${Date.now()}.com.br`);
  await page.locator('input[name=password]').fill('Segredo123');
  // The first account of a service would begin with the example rehearsed.
  const example = page.locator('input[name=example]');
  if (await example.isVisible()) await example.uncheck();
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Usar o exemplo' }).waitFor();
  return page;
}

/** What calls of the API that prepare a picture carry. */
async function bearerOf(page: Page): Promise<string> {
  const session = await page.request.post('/api/session/token', { headers: { origin: url } });
  const { token } = (await session.json()) as { token: string };
  return `Bearer ${token}`;
}

/** Launches the example and lets its debtors act. Returns the path of the campaign. */
async function playExample(
  page: Page,
  onRehearsal: () => Promise<void> = async () => {},
  playedMs = PLAYED_MS,
): Promise<string> {
  await page.getByRole('button', { name: 'Usar o exemplo' }).click();
  await page.waitForURL(/\/ensaio$/);
  const campaign = new URL(page.url()).pathname.replace(/\/ensaio$/, '');
  await onRehearsal();
  await page.getByRole('button', { name: /^Lançar/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Lançar/ })
    .click();
  await page.waitForURL(new RegExp(`${campaign}$`));
  await page.waitForTimeout(playedMs);
  return campaign;
}

const ANSWERS = [
  ['Agradecer', 'Obrigado por escrever, {{nome}}! Vamos conferir e voltamos ainda hoje.'],
  ['Código Pix', 'O código Pix está na página da dívida, {{nome}}. Ele vale até o fim do dia.'],
  ['Comprovante', 'Pode mandar o comprovante por aqui. A {{credor}} confere e responde.'],
] as const;

async function takeSavedAnswers(page: Page): Promise<void> {
  const authorization = await bearerOf(page);
  for (const [name, text] of ANSWERS) {
    await page.request.post('/api/saved-answers', { data: { name, text }, headers: { authorization } });
  }
  await page.getByRole('button', { name: 'Respostas salvas' }).click();
  await page.getByRole('searchbox').waitFor();
  await picture(page, 'console-respostas', page.getByRole('dialog'));
  await page.keyboard.press('Escape');
}

async function takeConsole(browser: Browser): Promise<void> {
  const page = await newCompany(browser);
  await playExample(page, async () => {
    await page.waitForTimeout(8_000);
    await picture(page, 'console-ensaio');
  });
  await picture(page, 'console-campanha');
  await visit(page, '/');
  await picture(page, 'console-inicio');
  await visit(page, '/atendimento');
  await picture(page, 'console-atendimento');
  await takeSavedAnswers(page);
  await visit(page, '/recibos');
  await page.locator('table a').first().click();
  await page.waitForURL(/\/dividas\//);
  await picture(page, 'console-divida');
  await visit(page, page.url().replace('/dividas/', '/simulador/'));
  await picture(page, 'console-simulador');

  await visit(page, '/campanhas?criar=sim');
  await page.getByRole('dialog').getByLabel('Nome').fill('Mensalidades de outubro');
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await page.waitForURL(/\/importar$/);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'alunos.csv', mimeType: 'text/csv', buffer: Buffer.from(SHEET) });
  await settle(page);
  const check = page.getByRole('button', { name: /^Conferir/ });
  if (await check.isVisible()) await check.click();
  await picture(page, 'console-importar');
}

/** The settings of reminders, and the page that a reminder leads to. */
async function takeReminders(browser: Browser): Promise<void> {
  const page = await newCompany(browser);
  const campaign = await playExample(page, undefined, 0);
  const debts = await debtsOf(page, campaign);
  const today = new Date().toISOString().slice(0, 10);
  const upcoming = debts.find(({ dueDate, status }) => dueDate > today && status === 'QUEUED') ?? debts[0]!;
  await visit(page, `/simulador/${upcoming.id}`);
  await page.getByRole('button', { name: 'Pausar o relógio' }).click();
  const phone = await browser.newContext({ baseURL: url, locale: 'pt-BR', viewport: PHONE });
  const debtor = await phone.newPage();
  await visit(debtor, `/checkout/${upcoming.id}`);
  await growWindow(debtor, 1_700);
  await picture(debtor, 'checkout-antes-do-vencimento');

  await visit(page, campaign);
  await page.getByRole('button', { name: 'Mais ações' }).click();
  await page.getByRole('button', { name: 'Configurar' }).click();
  await page.getByRole('group', { name: 'Lembretes antes do vencimento' }).scrollIntoViewIfNeeded();
  await picture(page, 'console-lembretes', page.getByRole('dialog'));
}

/** States terms of late payment with the example of `docs/terms.md`. */
async function stateTerms(page: Page): Promise<void> {
  await visit(page, '/encargos');
  await page.getByLabel('Vale para o que vence a partir de').fill('2026-01-01');
  await page.getByLabel('Multa (%)').fill('2');
  await page.getByLabel('Juros', { exact: true }).selectOption({ label: 'Um percentual ao mês' });
  await page.getByLabel('Juros ao mês (%)').fill('1');
  await page.getByLabel('Onde o contrato diz isso').fill('Contrato de prestação de serviços, cláusula 7');
  await page.getByLabel('Valor da dívida (R$)').fill('1.000,00');
  await page.getByLabel('Vencimento', { exact: true }).fill('2026-11-10');
  await page.getByLabel('Pagamento em').fill('2026-11-25');
  await page.getByLabel('Pagamento em').blur();
}

async function takeCharges(browser: Browser): Promise<void> {
  const page = await newCompany(browser);
  await stateTerms(page);
  await growWindow(page, 1_320);
  await picture(page, 'console-encargos');
}

async function takeAgreements(browser: Browser): Promise<void> {
  const page = await newCompany(browser);
  await stateTerms(page);
  await page.getByRole('button', { name: 'Salvar a nova versão' }).click();
  await settle(page);
  await visit(page, '/ofertas');
  const example = page.getByRole('heading', { name: 'Exemplo', exact: true });
  await picture(page, 'console-ofertas', page.locator('section').filter({ has: example }).last());
  await page.getByRole('button', { name: 'Salvar a política' }).click();
  await settle(page);

  await visit(page, '/');
  const campaign = await playExample(page);
  await visit(page, campaign);
  await page.getByRole('link', { name: new RegExp(SILENT_DEBTOR) }).click();
  await page.waitForURL(/\/dividas\//);
  const debtId = new URL(page.url()).pathname.split('/').at(-1)!;

  const phone = await browser.newContext({ baseURL: url, locale: 'pt-BR', viewport: PHONE });
  const debtor = await phone.newPage();
  await visit(debtor, `/checkout/${debtId}`);
  await debtor.getByRole('link', { name: 'Ver opções de acordo' }).click();
  await growWindow(debtor, 2_000);
  await picture(debtor, 'acordo-opcoes');
  // The first offers may have ended by the clock of the debt, and then these have other numbers.
  await debtor
    .getByRole('link', { name: /^Escolher a opção/ })
    .nth(1)
    .click();
  await debtor.getByRole('button', { name: 'Aceitar o acordo' }).click();
  await debtor.locator('.instalments').waitFor();
  // The agreement would be broken within seconds, because no instalment is paid.
  await visit(page, `/simulador/${debtId}`);
  await page.getByRole('button', { name: 'Pausar o relógio' }).click();
  await settle(page);
  await visit(debtor, `/checkout/${debtId}`);
  await growWindow(debtor, 1_450);
  await picture(debtor, 'acordo-pagina');
  await debtor.locator('button.primary').click();
  await settle(debtor);
  await visit(page, `/dividas/${debtId}`);
  const heading = page.getByRole('heading', { name: 'Acordo', exact: true });
  await picture(page, 'console-acordo', page.locator('section').filter({ has: heading }).last());
  await visit(page, campaign);
  const figures = page.getByRole('heading', { name: 'Acordos', exact: true });
  await picture(page, 'console-numeros-de-acordos', page.locator('section').filter({ has: figures }).last());
}

interface ListedDebt {
  readonly id: string;
  readonly invoiceId: string;
  readonly originalAmount: number;
  readonly dueDate: string;
  readonly status: string;
}

async function debtsOf(page: Page, campaign: string): Promise<readonly ListedDebt[]> {
  const answer = await page.request.get(`/api${campaign.replace('campanhas', 'campaigns')}/debts`, {
    headers: { authorization: await bearerOf(page) },
  });
  return ((await answer.json()) as { items: readonly ListedDebt[] }).items;
}

/** A table as an office keeps it: an open debt, one that is paid already, a bill of nobody, and a row without a day. */
function paidElsewhere(open: ListedDebt, paid: ListedDebt): string {
  const amount = ({ originalAmount }: ListedDebt) => originalAmount.toFixed(2).replace('.', ',');
  return [
    'fatura;data do pagamento;valor pago;forma',
    `${open.invoiceId};26/11/2026;${amount(open)};pix`,
    `${paid.invoiceId};27/11/2026;${amount(paid)};pix`,
    'FAT-99999;25/11/2026;310,00;boleto',
    `${open.invoiceId};ontem;150,00;dinheiro`,
  ].join('\n');
}

async function takePayments(browser: Browser): Promise<void> {
  const page = await newCompany(browser);
  const campaign = await playExample(page);
  const debts = await debtsOf(page, campaign);
  const paid = debts.find(({ status }) => status === 'PAID') ?? debts[0]!;
  const open = debts.find(({ status }) => status !== 'PAID') ?? debts[1]!;
  await visit(page, `/dividas/${paid.id}`);
  await page.getByRole('button', { name: 'Devolver' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/Motivo/).fill('Pagou duas vezes: no balcão e por Pix');
  await picture(page, 'console-devolver', dialog);
  await page.keyboard.press('Escape');

  await visit(page, '/recebidos');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'recebidos.csv', mimeType: 'text/csv', buffer: Buffer.from(paidElsewhere(open, paid)) });
  await page.getByRole('button', { name: 'Conferir' }).click();
  await growWindow(page, 1_100);
  await picture(page, 'console-recebidos');
}

/** The screens of an account: who works in it, how they enter, and what became of it. */
async function takeAccount(browser: Browser): Promise<void> {
  const page = await newCompany(browser);
  await playExample(page);
  for (const [path, name] of [
    ['equipe', 'console-equipe'],
    ['acesso', 'console-acesso'],
    ['dados', 'console-dados'],
    ['registro', 'console-registro'],
  ] as const) {
    await visit(page, `/conta/${path}`);
    await growWindow(page, 1_800);
    await picture(page, name);
    await page.setViewportSize(SIZE);
  }
  await visit(page, '/conta/acesso');
  await page.getByRole('button', { name: 'Cadastrar o aplicativo' }).click();
  await page.locator('form code').waitFor();
  await picture(page, 'console-segundo-fator');
}

/** The pages before the sign-in, and what lists what a company has. */
async function takeLists(browser: Browser): Promise<void> {
  const context = await browser.newContext({ baseURL: url, locale: 'pt-BR', viewport: SIZE, reducedMotion: 'reduce' });
  const door = await context.newPage();
  for (const [path, name] of [
    ['entrar', 'console-entrar'],
    ['criar-conta', 'console-criar-conta'],
    ['esqueci', 'console-esqueci'],
  ] as const) {
    await visit(door, `/${path}`);
    await growWindow(door, 1_200);
    await picture(door, name);
    await door.setViewportSize(SIZE);
  }
  const page = await newCompany(browser);
  const headers = { authorization: await bearerOf(page) };
  await page.request.put('/api/offers/policy', { data: OFFERS_POLICY, headers });
  await playExample(page);
  for (const [path, name, most] of [
    ['/campanhas', 'console-campanhas', 860],
    ['/dividas', 'console-dividas', 1_100],
    ['/acordos', 'console-acordos', 860],
    ['/recibos', 'console-recibos', 1_000],
    ['/regras', 'console-regras', 1_400],
    ['/conta', 'console-empresa', 1_800],
    ['/conta/integracoes', 'console-integracoes', 1_400],
  ] as const) {
    await visit(page, path);
    await growWindow(page, most);
    await picture(page, name);
    await page.setViewportSize(SIZE);
  }
  await visit(page, '/acordos');
  await page.getByRole('row').filter({ hasText: 'Cumprido' }).last().getByRole('link').first().click();
  await page.waitForURL(/\/acordos\/./);
  await growWindow(page, 1_400);
  await picture(page, 'console-um-acordo');
}

const CODE_MS = 30_000;

/** A company whose staff has entered what an operator checks. */
async function checkable(page: Page, name: string, cnpj: string): Promise<void> {
  const email = `financeiro@${name.toLowerCase().replaceAll(/[^a-z]/g, '')}-${Date.now()}.com.br`;
  const signUp = await page.request.post('/api/onboarding/signup', { data: { name, email, password: 'Segredo123' } });
  const { token } = (await signUp.json()) as { token: string };
  const address = { street: 'Rua das Flores', number: '100', district: 'Centro', city: 'Campinas', state: 'SP' };
  const data = { cnpj, address: { ...address, postalCode: '13010001' } };
  await page.request.patch('/api/onboarding/me', { data, headers: { authorization: `Bearer ${token}` } });
}

/** The operators' console, by an invitation, which makes an operator of this deployment. */
async function takeOperators(browser: Browser): Promise<void> {
  const link = process.env['OPERATOR_INVITATION'];
  if (link === undefined) throw new Error('Set OPERATOR_INVITATION to the link of `quita operators invite`');
  const context = await browser.newContext({ baseURL: url, locale: 'pt-BR', viewport: SIZE, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await checkable(page, 'Padaria Sol', '11444777000161');
  await checkable(page, 'Escola Aurora', '11222333000181');
  const { pathname, hash } = new URL(link);
  await visit(page, pathname + hash);
  await page.getByRole('button', { name: 'Começar' }).click();
  const secret = ((await page.locator('form code').textContent()) ?? '').replaceAll(' ', '');
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await growWindow(page, 1_200);
  await picture(page, 'operador-convite');
  await page.setViewportSize(SIZE);
  await page.locator('input[name=password]').fill('Segredo123');
  await page.locator('input[name=code]').fill(code());
  await page.getByRole('button', { name: 'Aceitar o convite' }).click();
  await page.getByRole('link', { name: 'Entrar na operação' }).click();
  // The code of the acceptance is used up.
  await page.waitForTimeout(CODE_MS);
  await page.locator('input[name=email]').fill(process.env['OPERATOR_EMAIL'] ?? 'ana@example.com');
  await page.locator('input[name=password]').fill('Segredo123');
  await page.locator('input[name=code]').fill(code());
  await page.locator('button[type=submit]').click();
  await page.getByRole('link', { name: 'Escola Aurora' }).first().waitFor();
  await picture(page, 'operador-empresas');
  await page.getByRole('link', { name: 'Escola Aurora' }).first().click();
  await page.locator('form').waitFor();
  await growWindow(page, 1_600);
  await picture(page, 'operador-empresa');
  await page.setViewportSize(SIZE);
  await page.getByRole('link', { name: 'Saúde' }).click();
  await page.getByRole('heading', { name: 'Disco' }).waitFor();
  await growWindow(page, 1_700);
  await picture(page, 'operador-saude');
}

/** Enters what WhatsApp reports in a month: messages that came, and a template that has become advertising. */
async function tellOfMonth(): Promise<void> {
  const databaseUrl = process.env['DATABASE_OWNER_URL'];
  if (databaseUrl === undefined) throw new Error('Set DATABASE_OWNER_URL to the database of the deployment');
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    await owner.query(LET_OWNER_SEE);
    await owner.query(MESSAGES_OF_MONTH);
    await owner.query(TEMPLATE_OF_MARKETING);
  } finally {
    await owner.end();
  }
}

/** Where a company connects its own senders, what one of them asks for, and how it is then. */
async function takeChannels(browser: Browser): Promise<void> {
  const given = process.env['CHANNEL_TO_CONNECT'];
  if (given === undefined) throw new Error('Set CHANNEL_TO_CONNECT to a body of `POST /api/channels`');
  const page = await newCompany(browser);
  await visit(page, '/conta/canais');
  await page.getByRole('button', { name: 'Conectar WhatsApp' }).click();
  await picture(page, 'console-conectar', page.getByRole('dialog'));
  await page.keyboard.press('Escape');
  const headers = { authorization: await bearerOf(page) };
  const connected = await page.request.post('/api/channels', { data: JSON.parse(given), headers });
  if (!connected.ok()) throw new Error(`The channel is not connected: ${await connected.text()}`);
  await page.request.post('/api/channels/templates/push', { headers });
  await visit(page, '/conta/canais');
  await growWindow(page, 1_680);
  await picture(page, 'console-canais');

  // The messages of the month are about a debt of the example.
  await page.request.post('/api/sandbox/example', { headers });
  await tellOfMonth();
  await visit(page, '/conta/canais');
  await page.getByRole('button', { name: 'Ligar código Pix na mensagem' }).click();
  const card = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'WhatsApp' }) })
    .last();
  await pictureAround(page, 'console-uso-do-mes', card, 700);
  const templates = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: /Modelos/ }) })
    .last();
  await pictureAround(page, 'console-modelo-de-marketing', templates, 560);
}

const GROUPS: Readonly<Record<string, (browser: Browser) => Promise<void>>> = {
  console: takeConsole,
  lists: takeLists,
  charges: takeCharges,
  reminders: takeReminders,
  agreements: takeAgreements,
  payments: takePayments,
  account: takeAccount,
  operators: takeOperators,
  channels: takeChannels,
};

const unknown = chosen.filter((name) => GROUPS[name] === undefined);
if (unknown.length > 0)
  throw new Error(`There is no group ${unknown.join(', ')}; there are ${Object.keys(GROUPS).join(', ')}`);
await mkdir(OUTPUT, { recursive: true });
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--lang=pt-BR'],
});
try {
  for (const [name, take] of Object.entries(GROUPS)) {
    if (chosen.length === 0 ? name !== 'channels' : chosen.includes(name)) await take(browser);
  }
} finally {
  await browser.close();
}
