import { afterEach, describe, expect, it } from '@jest/globals';
import type { Page, Response } from 'playwright-core';
import { startApp } from '../../testing/app.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { ACCOUNT } from '../../web/src/texts/account.ts';
import { COMMON } from '../../web/src/texts/common.ts';
import { HOME } from '../../web/src/texts/home.ts';
import { PROBLEM_TEXT } from '../../web/src/texts/problem-texts.ts';
import { RECEIPTS } from '../../web/src/texts/receipts.ts';
import { SHELL } from '../../web/src/texts/shell-texts.ts';
import { SIGN_IN, SIGN_UP } from '../../web/src/texts/sign-in.ts';
import { logIn, newEmail, PASSWORD } from '../http/accounts/accounts.ts';
import { type ConsoleClient, makeClient } from './support/client.ts';
import { type Console, openConsole } from './support/console.ts';

const TABS = 5;
const RENEWALS = 20;
const ROUNDS = 8;
/** A little more than 80 % of the life of an access token, when the next request renews it. */
const UNTIL_RENEWAL_MS = 1_650;

const windows: Console[] = [];
const app = await opened(startApp({ env: { ACCESS_TOKEN_TTL: '2s' } }));
afterEach(async () => {
  for (const window of windows.splice(0)) await window.close();
});

async function open(client?: ConsoleClient): Promise<Console> {
  // A token of two seconds may end on its way; the console then asks again with another one. Searches are posted.
  const allowed = [/^401 GET /, /^401 POST \/api\/\w+\/search/];
  const window = await openConsole(app, client === undefined ? { allowed } : { allowed, client });
  windows.push(window);
  return window;
}

const navigate = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const isRenewal = (response: Response): boolean => new URL(response.url()).pathname === '/api/session/token';

async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel(SIGN_IN.email).fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
}

describe('five tabs of one browser', () => {
  it('renew their tokens many times, one answer is lost, and nobody is signed out', async () => {
    const window = await open(await makeClient(app));
    const tabs = [window.page];
    while (tabs.length < TABS) tabs.push(await window.context.newPage());
    let renewed = 0;
    let lost = 0;
    for (const tab of tabs) {
      tab.on('response', (response) => {
        if (isRenewal(response) && response.status() === 200) renewed += 1;
      });
      await tab.goto('/campanhas');
      await heading(tab, SHELL.campaigns);
    }
    window.allow('failed POST /api/session/token');
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round === ROUNDS / 2) {
        await tabs[0]!.route(
          '**/api/session/token',
          async (route) => {
            await route.fetch();
            await route.abort();
            lost += 1;
          },
          { times: 1 },
        );
      }
      await new Promise((resolve) => setTimeout(resolve, UNTIL_RENEWAL_MS));
      const name = round % 2 === 0 ? 'Recibos' : 'Campanhas';
      await Promise.all(tabs.map((tab) => navigate(tab, name)));
      await Promise.all(tabs.map((tab) => heading(tab, name)));
    }
    expect(renewed).toBeGreaterThanOrEqual(RENEWALS);
    expect(lost).toBe(1);
    // Chromium writes the lost answer into its log.
    expect(window.takeProblems().filter((problem) => !problem.includes('net::ERR_FAILED'))).toEqual([]);
    for (const tab of tabs) expect(new URL(tab.url()).pathname).not.toBe('/entrar');
  });

  it('are all signed out by one of them, and show nothing of the company any more', async () => {
    const client = await makeClient(app, { name: 'Colégio Estrela' });
    const window = await open(client);
    const other = await window.context.newPage();
    for (const tab of [window.page, other]) {
      await tab.goto('/campanhas');
      await heading(tab, SHELL.campaigns);
    }
    await window.page.getByRole('button', { name: 'Colégio Estrela' }).click();
    await window.page.getByRole('button', { name: SHELL.signOut, exact: true }).click();
    for (const tab of [window.page, other]) {
      await heading(tab, SIGN_IN.title);
      expect(await tab.locator('body').textContent()).not.toContain('Colégio Estrela');
    }
    const [stillOpen] = await app.query<{ count: number }>(
      'select count(*)::int as count from sessions where client_id = $1 and cookie_hash is not null and ended_at is null',
      [client.id],
    );
    expect(stillOpen?.count).toBe(0);
  });
});

describe('a company', () => {
  it('leaves every browser by “Sair de todos”', async () => {
    const client = await makeClient(app);
    const here = await open(client);
    const there = await open(client);
    await there.visit('/campanhas');
    there.allow('401 POST /api/session/token', /^401 GET /);
    await here.visit('/conta/acesso');
    const browsers = here.page
      .getByRole('table', { name: ACCOUNT.sessions })
      .getByRole('row')
      .filter({ hasText: 'Chrome no Linux' })
      .filter({ hasText: '127.0.0.1' });
    await browsers.filter({ hasText: ACCOUNT.here }).waitFor();
    await browsers.filter({ hasText: ACCOUNT.endOne }).waitFor();
    await here.page.getByRole('button', { name: ACCOUNT.endAll }).click();
    await here.page.getByRole('dialog').getByRole('button', { name: ACCOUNT.endAll }).click();
    await heading(here.page, SIGN_IN.title);
    await navigate(there.page, SHELL.receipts);
    await heading(there.page, SIGN_IN.title);
    await there.page.getByText('Sua sessão terminou').waitFor();
  });

  it('sees nothing of another one that signed in after it in the same browser', async () => {
    const first = await makeClient(app, { name: 'Colégio Alfa' });
    const second = await makeClient(app, { name: 'Colégio Beta' });
    // A token of two seconds may end before the call of a busy machine comes.
    await until('the campaign is made', async () => {
      const { token } = await logIn(app, first.email);
      return (await app.post('/api/campaigns', { name: 'Mensalidades do Alfa' }, token)).status === 201;
    });
    const window = await open(first);
    await window.visit('/campanhas');
    await window.page.getByText('Mensalidades do Alfa').waitFor();
    window.allow(/^401 GET /);
    await window.signIn(second);
    await new Promise((resolve) => setTimeout(resolve, UNTIL_RENEWAL_MS));
    await navigate(window.page, SHELL.receipts);
    await window.page.getByRole('button', { name: 'Colégio Beta' }).waitFor();
    await navigate(window.page, SHELL.campaigns);
    await heading(window.page, SHELL.campaigns);
    await window.ready();
    expect(await window.page.locator('body').textContent()).not.toContain('Alfa');
  });
});

describe('a session', () => {
  it('that the server has ended leads to the sign-in, and from there back to where the person was', async () => {
    const client = await makeClient(app);
    const window = await open(client);
    await window.visit('/recibos');
    window.allow('401 POST /api/session/token');
    await app.query('update sessions set ended_at = now() where client_id = $1', [client.id]);
    await new Promise((resolve) => setTimeout(resolve, UNTIL_RENEWAL_MS));
    // The screen may notice it by itself before the click.
    const click = navigate(window.page, SHELL.campaigns).catch(() => undefined);
    await heading(window.page, SIGN_IN.title);
    await window.page.getByText('Sua sessão terminou').waitFor();
    await fillSignIn(window.page, client.email, client.password);
    await window.page.getByRole('heading', { level: 1, name: /^(?:Campanhas|Recibos)$/ }).waitFor();
    await click;
  });

  it('leaves nothing personal and no secret in the browser’s storage or address', async () => {
    const client = await makeClient(app, { name: 'Creche Girassol' });
    const window = await open(client);
    for (const path of ['/', '/campanhas', '/conta', '/dividas']) await window.visit(path);
    const kept = await window.page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, document.cookie])',
    );
    for (const secret of [client.email, client.name, client.id, 'eyJ', client.password]) {
      expect(kept).not.toContain(secret);
    }
  });
});

describe('the sign-in', () => {
  it('says what is wrong, and counts down until a locked e-mail may try again', async () => {
    const { email } = await makeClient(app);
    const window = await open();
    window.allow('401 POST /api/session', '423 POST /api/session');
    await window.visit('/entrar');
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await fillSignIn(window.page, email, 'Errada123');
      await window.page.getByRole('alert').getByText(PROBLEM_TEXT.invalid_credentials).waitFor();
    }
    await fillSignIn(window.page, email, PASSWORD);
    const alert = window.page.getByRole('alert');
    await alert.getByText(/bloqueada por um tempo/).waitFor();
    const left = async () => (await alert.textContent())?.match(/(\d+) min (\d\d) s/)?.[0];
    const first = await left();
    expect(first).toBeDefined();
    await until('the time runs down', async () => (await left()) !== first);
  });

  it('counts down after too many tries from one place', async () => {
    const window = await open();
    window.allow('429 POST /api/session');
    await window.visit('/entrar');
    const { page } = window;
    const problem = {
      type: 'about:blank',
      title: 'Too many',
      status: 429,
      code: 'rate_limited',
      retryAfterSeconds: 42,
    };
    await page.route('**/api/session', (route) =>
      route.fulfill({ status: 429, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    );
    await fillSignIn(page, newEmail(), PASSWORD);
    const alert = page.getByRole('alert');
    await alert.getByText(/Tente de novo em 4\d s\./).waitFor();
    await alert.getByText(/Tente de novo em 3\d s\./).waitFor();
  });

  it('shows the password only while asked, and keeps what was typed', async () => {
    const window = await open();
    await window.visit('/entrar');
    const { page } = window;
    const field = page.locator('input[name=password]');
    await field.fill(PASSWORD);
    expect(await field.getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: 'mostrar Senha' }).click();
    expect([await field.getAttribute('type'), await field.inputValue()]).toEqual(['text', PASSWORD]);
    await page.getByRole('button', { name: 'ocultar Senha' }).click();
    expect(await field.getAttribute('type')).toBe('password');
  });

  it('of a new company shows every problem of the form beside its field, and then signs in', async () => {
    const window = await open();
    window.allow('400 POST /api/onboarding/signup');
    await window.visit('/criar-conta');
    const { page } = window;
    await page.getByLabel(SIGN_UP.name).fill('Escola Nova');
    await page.getByLabel(SIGN_IN.email).fill('escola@gmail.com');
    await page.locator('input[name=password]').fill('semmaiuscula1');
    await page.getByLabel(/^CNPJ/).fill('11.222.333/0001-82');
    await page.locator('button[type=submit]').click();
    await page.getByText('Use o e-mail da empresa, não um endereço gratuito.').waitFor();
    await page
      .getByText(/com uma letra maiúscula e um número\.$/)
      .last()
      .waitFor();
    await page.getByText('O CNPJ não confere.').waitFor();
    expect(await page.getByLabel(/^CNPJ/).getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel(SIGN_IN.email).fill(newEmail());
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.getByLabel(/^CNPJ/).fill('');
    await page.locator('button[type=submit]').click();
    await heading(page, HOME.firstTitle);
  });
});

describe('a service that fails', () => {
  it('is said on the screen, which keeps its data and recovers by itself', async () => {
    const client = await makeClient(app);
    const window = await open(client);
    await window.visit('/campanhas');
    window.allow(/^503 /, /^failed /);
    await window.page.route('**/api/**', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({ type: 'about:blank', title: 'Unavailable', status: 503, code: 'unavailable' }),
      }),
    );
    await navigate(window.page, SHELL.receipts);
    await window.page.getByText(SHELL.noAnswer).waitFor();
    await window.page.unroute('**/api/**');
    await window.page.getByText(RECEIPTS.emptyTitle).waitFor();
    await window.page.getByText(SHELL.noAnswer).waitFor({ state: 'detached' });
  });

  it('whose screens were replaced by an update is loaded again once', async () => {
    const window = await open(await makeClient(app));
    await window.visit('/campanhas');
    window.allow(/^404 GET \/console\//);
    await window.page.route('**/console/assets/rules-*.js', (route) => route.fulfill({ status: 404, body: '' }), {
      times: 1,
    });
    await navigate(window.page, SHELL.rules);
    await heading(window.page, SHELL.rules);
    window.takeProblems();
  });

  it('leaves an unknown address inside the console with a way on', async () => {
    const window = await open(await makeClient(app));
    await window.visit('/campanhas/a/b/c');
    await heading(window.page, COMMON.notFound);
    await window.page.getByRole('main').getByRole('link', { name: SHELL.home }).click();
    await heading(window.page, HOME.firstTitle);
  });
});
