import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { startApp } from '../../testing/app.ts';
import { opened } from '../../testing/opened.ts';
import { COMMON } from '../../web/src/texts/common.ts';
import { CHECK_NAMES, CLIENT_STATUS, OPERATORS as TEXT } from '../../web/src/texts/operators.ts';
import { PROBLEM_TEXT } from '../../web/src/texts/problem-texts.ts';
import { SECOND_FACTOR } from '../../web/src/texts/second-factor.ts';
import { SHELL } from '../../web/src/texts/shell-texts.ts';
import { SIGN_IN } from '../../web/src/texts/sign-in.ts';
import { VERIFICATION } from '../../web/src/texts/verification.ts';
import { PASSWORD } from '../http/accounts/accounts.ts';
import { codeOf, wrongCodeOf } from '../http/accounts/factors.ts';
import { openOperators } from '../http/operators/operators.ts';
import { focused, pressTabUntil } from './support/accessibility.ts';
import { type ConsoleClient, makeClient } from './support/client.ts';
import { type Console, openConsole } from './support/console.ts';
import { faultsHere, faultsOf } from './support/faults.ts';
import { button, heading } from './support/second-factor.ts';

const app = await opened(
  startApp({
    env: { DATA_DIR: tmpdir(), TEMPORAL_UI_URL: 'https://temporal.example', PUBLIC_RATE_PER_MINUTE: '10000' },
  }),
);
const { invite, join, nextCodes } = await openOperators(app);

const CNPJ = '11222333000181';
/** Every visit without a session begins with this question. */
const NO_SESSION = '401 GET /api/operator/session';

/** A company with a CNPJ and an address, which an operator can check. */
async function newCompany(name: string): Promise<ConsoleClient> {
  const client = await makeClient(app, { name });
  const address = {
    street: 'Rua das Flores',
    number: '100',
    district: 'Centro',
    city: 'Campinas',
    state: 'SP',
    postalCode: '13010001',
  };
  await app.call('PATCH', '/api/onboarding/me', { bearer: client.token, body: { cnpj: CNPJ, address } });
  return client;
}

async function giveAll({ page }: Console, email: string, code: string): Promise<void> {
  await page.getByLabel(TEXT.email, { exact: true }).fill(email);
  await page.getByRole('textbox', { name: SIGN_IN.password }).fill(PASSWORD);
  await page.getByLabel(SECOND_FACTOR.code).fill(code);
  await page.getByRole('button', { name: SIGN_IN.submit, exact: true }).click();
}

/** A window in which an operator is signed in at this address. */
async function openAs(path = '/operador') {
  const operator = await join();
  const window = await openConsole(app, { allowed: [NO_SESSION] });
  await window.visit(path);
  await giveAll(window, operator.email, codeOf(operator.secret));
  await button(window, operator.email).waitFor();
  await window.ready();
  return { ...operator, window };
}

describe('the console of operators', () => {
  it('leads by the keyboard alone from the invitation to a verified company', async () => {
    const { email, token } = await invite();
    const company = await newCompany('Escola do Teclado');
    const window = await openConsole(app, { allowed: [NO_SESSION] });
    const { page } = window;
    const { keyboard } = page;
    await window.visit(`/operador/convite#${token}`);
    // The token leaves the address, and with it the browser's history.
    expect(page.url()).not.toContain(token);
    expect(await faultsHere(window, 'an invitation')).toEqual([]);
    await pressTabUntil(page, TEXT.begin, { role: 'button' });
    await keyboard.press('Enter');
    await heading(window, TEXT.appTitle);
    expect(await focused(page)).toMatchObject({ role: 'heading', name: TEXT.appTitle });
    const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
    // The picture is drawn here: the secret goes to no other address, which the check after each test watches.
    expect(await page.getByRole('img', { name: SECOND_FACTOR.qr }).locator('path').getAttribute('d')).toMatch(/^M/);
    expect(await faultsHere(window, 'the app')).toEqual([]);
    await pressTabUntil(page, SIGN_IN.password, { role: 'textbox' });
    await keyboard.type(PASSWORD);
    await pressTabUntil(page, SECOND_FACTOR.code, { role: 'textbox' });
    await keyboard.type(codeOf(secret));
    await keyboard.press('Enter');
    await heading(window, TEXT.joined);
    await nextCodes(email);

    await pressTabUntil(page, TEXT.signIn, { role: 'link' });
    await keyboard.press('Enter');
    await heading(window, TEXT.signIn);
    await window.ready();
    expect(await faultsHere(window, 'the sign-in')).toEqual([]);
    await pressTabUntil(page, TEXT.email, { role: 'textbox' });
    await keyboard.type(email);
    await pressTabUntil(page, SIGN_IN.password, { role: 'textbox' });
    await keyboard.type(PASSWORD);
    await pressTabUntil(page, SECOND_FACTOR.code, { role: 'textbox' });
    await keyboard.type(codeOf(secret));
    await keyboard.press('Enter');
    await heading(window, TEXT.clients);
    await window.ready();

    await pressTabUntil(page, company.name, { role: 'link' });
    await keyboard.press('Enter');
    await heading(window, company.name);
    await window.ready();
    for (const check of ['name', 'cnpj', 'address'] as const) {
      await pressTabUntil(page, CHECK_NAMES[check], { role: 'checkbox' });
      await keyboard.press('Space');
    }
    await pressTabUntil(page, VERIFICATION.verify, { role: 'button' });
    await keyboard.press('Enter');
    const checked = VERIFICATION.checked([CHECK_NAMES.name, CHECK_NAMES.cnpj, CHECK_NAMES.address].join(', '));
    await page.getByText(checked).waitFor();
    await window.ready();
    expect(await page.evaluate('document.activeElement.textContent')).toContain(checked);
    expect(await page.evaluate('document.activeElement.textContent')).toContain(email);
    expect(await faultsHere(window, 'a verified company')).toEqual([]);
    const [row] = await app.query('select from clients where id = $1 and verified_at is not null', [company.id]);
    expect(row).toBeDefined();
    await window.close();
  });

  it('says what was wrong at the sign-in, and locks with a countdown', async () => {
    const { email, secret } = await join();
    const window = await openConsole(app, { allowed: [NO_SESSION, /^4\d\d POST \/api\/operator\/session$/] });
    await window.visit('/operador/saude');
    for (let tries = 0; tries < 5; tries += 1) {
      await giveAll(window, email, wrongCodeOf(secret));
      await window.page.getByText(TEXT.wrong).waitFor();
      await window.ready();
    }
    await giveAll(window, email, codeOf(secret));
    await window.page.getByText(PROBLEM_TEXT.account_locked).waitFor();
    await window.page.getByText(/Tente de novo em \d+ min/).waitFor();
    expect(await faultsHere(window, 'a locked sign-in')).toEqual([]);
    await window.close();
  });

  it('an invitation that has ended is refused in words, and typed where the link lost it', async () => {
    const { email, token } = await invite();
    const window = await openConsole(app, { allowed: [NO_SESSION, /^401 POST \/api\/operator\/invitation/] });
    const { page } = window;
    await window.visit('/operador/convite');
    await page.getByLabel(TEXT.token).fill('a'.repeat(43));
    await button(window, TEXT.begin).click();
    await page.getByText(TEXT.invitationEnded).waitFor();
    expect(await faultsHere(window, 'an ended invitation')).toEqual([]);
    await page.getByLabel(TEXT.token).fill(token);
    await button(window, TEXT.begin).click();
    await page.getByText(TEXT.invitedAs(email)).waitFor();
    const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await page.getByRole('textbox', { name: SIGN_IN.password }).fill(PASSWORD);
    await page.getByLabel(SECOND_FACTOR.code).fill(wrongCodeOf(secret));
    await button(window, TEXT.accept).click();
    await page.getByText(SECOND_FACTOR.wrongCode).waitFor();
    await page.getByLabel(SECOND_FACTOR.code).fill(codeOf(secret));
    await button(window, TEXT.accept).click();
    await heading(window, TEXT.joined);
    await window.close();
  });

  it('finds companies, and pauses, resumes and cancels one', async () => {
    const company = await newCompany('Padaria Procurada');
    const { window } = await openAs();
    const { page } = window;
    await page.getByLabel(TEXT.search).fill('PROCURADA');
    await page.getByText(TEXT.shown(1, 1)).waitFor();
    expect(page.url()).not.toContain('PROCURADA');
    await button(window, TEXT.filters.paused).click();
    await heading(window, TEXT.noneFound);
    expect(await faultsHere(window, 'nothing found')).toEqual([]);
    await button(window, COMMON.clearFilters).click();
    await page.getByLabel(TEXT.search).fill(CNPJ);
    await page.getByRole('link', { name: company.name }).click();
    await heading(window, company.name);

    const statusIs = async (status: keyof typeof CLIENT_STATUS) => {
      await page.locator('header').getByText(CLIENT_STATUS[status].label, { exact: true }).waitFor();
      const [row] = await app.query<{ status: string }>('select status from clients where id = $1', [company.id]);
      expect(row!.status).toBe(status);
    };
    const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    await button(window, TEXT.pause).click();
    expect(await faultsHere(window, 'the question before a pause')).toEqual([]);
    await confirm(TEXT.pause);
    await statusIs('PAUSED');
    await button(window, TEXT.resume).click();
    await confirm(TEXT.resume);
    await statusIs('ACTIVE');
    await button(window, TEXT.cancel).click();
    const inDialog = page.getByRole('dialog').getByRole('button', { name: TEXT.cancel });
    expect(await inDialog.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel(COMMON.typeToConfirm(company.name)).fill(company.name);
    expect(await faultsHere(window, 'the question before a cancellation')).toEqual([]);
    await inDialog.click();
    await statusIs('CANCELLED');
    await page.getByText(VERIFICATION.cancelledText).waitFor();
    await window.ready();
    expect(await focused(page)).toMatchObject({ role: 'heading', name: company.name });
    for (const action of [TEXT.pause, TEXT.resume, TEXT.cancel]) expect(await button(window, action).count()).toBe(0);
    await window.close();
  });

  it('tells when a colleague was faster, and changes nothing', async () => {
    const company = await newCompany('Escola de Dois');
    const { window } = await openAs(`/operador/empresas/${company.id}`);
    const { page } = window;
    window.allow(/^409 POST \/api\/operator\/clients\//);
    await heading(window, company.name);
    await app.query(`update clients set status = 'CANCELLED' where id = $1`, [company.id]);
    await button(window, TEXT.pause).click();
    await page.getByRole('dialog').getByRole('button', { name: TEXT.pause, exact: true }).click();
    await page.getByText(PROBLEM_TEXT.client_state).waitFor();
    await window.close();
  });

  it('verifies nothing that has changed while the operator compared it, and shows the new data', async () => {
    const company = await newCompany('Escola que Muda');
    const { window } = await openAs(`/operador/empresas/${company.id}`);
    const { page } = window;
    window.allow(/^409 POST \/api\/operator\/clients\//);
    await heading(window, company.name);
    const box = (check: 'name' | 'cnpj') => page.getByRole('checkbox', { name: CHECK_NAMES[check], exact: true });
    await box('name').check();
    await box('cnpj').check();
    const name = 'Escola que Mudou';
    await app.call('PATCH', '/api/onboarding/me', { bearer: company.token, body: { name } });
    await button(window, VERIFICATION.verify).click();
    await page.getByText(VERIFICATION.changedMeanwhile).waitFor();
    await heading(window, name);
    await window.ready();
    expect([await box('name').isChecked(), await box('cnpj').isChecked()]).toEqual([false, true]);
    expect(await faultsHere(window, 'a company that has changed')).toEqual([]);
    const verified = 'select verified_name as name from clients where id = $1';
    expect(await app.query(verified, [company.id])).toEqual([{ name: null }]);
    await box('name').check();
    await button(window, VERIFICATION.verify).click();
    await page.getByText(VERIFICATION.checked([CHECK_NAMES.name, CHECK_NAMES.cnpj].join(', '))).waitFor();
    expect(await app.query(verified, [company.id])).toEqual([{ name }]);
    await window.close();
  });

  it('shows what fails, ends and waits over all companies, and links a company by its name', async () => {
    const company = await newCompany('Clínica que Falha');
    await app.query(
      `insert into channel_senders (client_id, channel, sender_id, shown_as, state) values ($1, 'whatsapp', '9', '9', 'failing')`,
      [company.id],
    );
    await app.query(
      `insert into client_credentials (client_id, purpose, sealed, account_id, certificate_expires_at, problem)
       values ($1, 'pix', 's', 'a', now() + interval '5 days', 'Texto')`,
      [company.id],
    );
    await app.query(
      `insert into outbox (kind, workflow, workflow_id, payload, last_error, available_at)
       values ('start', 'heartbeat', 'parked-one', '{}', 'parked: X', now())`,
    );
    const { window } = await openAs();
    const { page } = window;
    // What Temporal answers has a suite of its own, because a workflow that waits needs a worker that fails.
    const url = 'https://temporal.example/namespaces/default/workflows/waiting-one/run';
    await page.route('**/api/operator/health', async (route) => {
      const answer = await route.fetch();
      const workflows = { count: 1, items: [{ workflowId: 'waiting-one', url }] };
      await route.fulfill({ response: answer, json: { ...(await answer.json()), workflows } });
    });
    await window.visit('/operador/saude');
    await heading(window, TEXT.health);
    await page.getByText('parked-one').waitFor();
    expect(await page.getByRole('link', { name: TEXT.openOne('waiting-one') }).getAttribute('href')).toBe(url);
    const disk = page.locator('section').filter({ has: page.getByRole('heading', { name: TEXT.disk, exact: true }) });
    expect(await disk.last().textContent()).toMatch(/\d+(?:,\d+)?\s?GB/);
    expect(await faultsOf(window, '/operador/saude')).toEqual([]);
    await page.getByRole('link', { name: company.name }).first().click();
    await heading(window, company.name);
    await page.getByText('WhatsApp').waitFor();
    expect(await faultsOf(window, '/operador')).toEqual([]);
    expect(await faultsOf(window, '/operador/nada')).toEqual([]);
    await window.close();
  });

  it('has nothing of a company on the screen once the session has ended by idleness, in every tab', async () => {
    const company = await newCompany('Escola Esquecida');
    const { email, secret, window } = await openAs(`/operador/empresas/${company.id}`);
    const { page } = window;
    window.allow(/^401 GET \/api\/operator\//);
    await heading(window, company.name);
    await app.query(`update operator_sessions set expires_at = now()`);
    await page.getByRole('link', { name: TEXT.health }).click();
    await page.getByText(TEXT.ended).waitFor();
    await nextCodes(email);
    await giveAll(window, email, codeOf(secret));
    // The address was kept.
    await heading(window, TEXT.health);
    await nextCodes(email);

    // The page knows by itself when nobody has used it for so long, and asks nothing meanwhile.
    const other = await window.context.newPage();
    await other.clock.install();
    await other.goto(`/operador/empresas/${company.id}`);
    await other.getByRole('heading', { name: company.name }).waitFor();
    const calls: string[] = [];
    other.on('request', (request) => calls.push(request.url()));
    await other.clock.fastForward('29:00');
    await other.getByRole('heading', { name: company.name }).waitFor();
    await other.clock.fastForward('01:30');
    await other.getByText(TEXT.ended).waitFor();
    expect(await other.getByText(company.name).count()).toBe(0);
    expect(calls).toEqual([]);
    await window.close();
  });

  it('signs out in every tab', async () => {
    const { email, window } = await openAs();
    const second = await window.context.newPage();
    await second.goto('/operador/saude');
    await second.getByRole('heading', { name: TEXT.health }).waitFor();
    await button(window, email).click();
    expect(await faultsHere(window, 'the menu')).toEqual([]);
    await button(window, SHELL.signOut).click();
    await heading(window, TEXT.signIn);
    await second.getByRole('heading', { name: TEXT.signIn }).waitFor();
    expect(
      await app.query('select from operator_sessions s join operators o on o.id = s.operator_id where o.email = $1', [
        email,
      ]),
    ).toEqual([]);
    await window.close();
  });
});
