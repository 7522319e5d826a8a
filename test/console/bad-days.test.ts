import { afterEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { collector, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { COMMON } from '../../web/src/texts/common.ts';
import { SHELL } from '../../web/src/texts/shell-texts.ts';
import { SIGN_IN } from '../../web/src/texts/sign-in.ts';
import { DEBT_STATUS } from '../../web/src/texts/words.ts';
import { type Console, openConsole } from './support/console.ts';

const BAR = 'Sem resposta do Quita';
/** The longest time from the approval of a payment to its picture on a screen that follows closely. */
const TO_PIXEL_MS = 3_000;

let window: Console;
const app = await opened(startCollectionApp());
const client = await app.newClient();
const staff = collector(client);
afterEach(() => window?.close());

async function open(): Promise<Page> {
  window = await openConsole(app, { client });
  return window.page;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const bar = (page: Page) => page.getByText(BAR);

/** The service behind a proxy whose database is away. */
const fail = (page: Page) =>
  page.route('**/api/**', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: 'about:blank', title: 'Unavailable', status: 503, code: 'unavailable' }),
    }),
  );
const recover = (page: Page) => page.unroute('**/api/**');

describe('while the service does not answer', () => {
  it('a screen keeps its data under a bar, a new one fills itself when the service is back, without a reload', async () => {
    await staff.createCampaign('Mensalidades de outubro');
    const page = await open();
    await window.visit('/campanhas');
    await page.getByText('Mensalidades de outubro').waitFor();
    await page.evaluate('globalThis.loadedOnce = true');
    window.allow(/^503 /);
    await fail(page);
    await bar(page).waitFor({ timeout: 30_000 });
    await page.getByText('Mensalidades de outubro').waitFor();

    // This screen follows no changes, and its data was never there: only the console itself can ask again.
    await page.getByRole('navigation').getByRole('link', { name: SHELL.rules, exact: true }).click();
    await page.getByRole('main').getByRole('alert').waitFor({ timeout: 30_000 });
    await recover(page);
    await page.getByRole('main').getByRole('alert').waitFor({ state: 'detached' });
    await heading(page, SHELL.rules);
    await bar(page).waitFor({ state: 'detached' });
    expect(await page.evaluate('globalThis.loadedOnce')).toBe(true);
  });

  it('a visit waits instead of asking for the password, and goes on by itself', async () => {
    const page = await open();
    window.allow(/^503 /);
    await fail(page);
    await page.goto('/campanhas');
    await bar(page).waitFor();
    expect(new URL(page.url()).pathname).toBe('/campanhas');
    await recover(page);
    await heading(page, SHELL.campaigns);
  });

  it('a sign-out says that the session may still be open, and leaves nothing on the screen', async () => {
    const page = await open();
    await window.visit('/campanhas');
    window.allow(/^503 /);
    await fail(page);
    await page.getByRole('button', { name: 'Escola Aurora' }).click();
    await page.getByRole('button', { name: SHELL.signOut, exact: true }).click();
    await heading(page, SIGN_IN.title);
    await page.getByText('a sessão pode continuar aberta').waitFor();
    expect(await page.locator('body').textContent()).not.toContain('Escola Aurora');
  });

  it('a screen whose file cannot be fetched says so and does not leave the console', async () => {
    const page = await open();
    await window.visit('/campanhas');
    window.allow(/^failed /);
    await page.route(/\/console\/assets\/rules-|\/entrar$|\/regras$/, (route) => route.abort());
    await page.getByRole('navigation').getByRole('link', { name: SHELL.rules, exact: true }).click();
    await page.getByRole('main').getByText('Esta tela não pôde ser carregada').waitFor();
    await page.unroute(/\/console\/assets\/rules-|\/entrar$|\/regras$/);
    await page.getByRole('main').getByRole('button', { name: COMMON.retry }).click();
    await heading(page, SHELL.rules);
    window.takeProblems();
  });
});

describe('after an update of the service', () => {
  it('a screen whose style is gone is loaded again once', async () => {
    const page = await open();
    await window.visit('/campanhas');
    window.allow(/^404 GET \/console\//);
    let missed = 0;
    await page.route(
      '**/console/assets/rules-*.css',
      (route) => {
        missed += 1;
        return route.fulfill({ status: 404, body: '' });
      },
      { times: 1 },
    );
    await page.getByRole('navigation').getByRole('link', { name: SHELL.rules, exact: true }).click();
    await heading(page, SHELL.rules);
    expect(missed).toBe(1);
    window.takeProblems();
  });

  it('a screen that fails for good shows a way on, and the other screens work', async () => {
    const page = await open();
    await window.visit('/campanhas');
    await page.route('**/api/policy*', (route) => route.fulfill({ json: {} }));
    await page.getByRole('navigation').getByRole('link', { name: SHELL.rules, exact: true }).click();
    await page.getByRole('main').getByRole('button', { name: COMMON.retry }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: SHELL.receipts, exact: true }).click();
    await heading(page, SHELL.receipts);
    window.takeProblems();
  });

  it('a screen before the sign-in whose file is gone for good shows a way on', async () => {
    window = await openConsole(app);
    const { page } = window;
    await window.visit('/entrar');
    window.allow(/^404 GET \/console\//);
    await page.route('**/console/assets/sign-up-*.js', (route) => route.fulfill({ status: 404, body: '' }));
    await page.getByRole('link', { name: /Criar conta/ }).click();
    await page.getByRole('button', { name: COMMON.retry }).waitFor();
    window.takeProblems();
  });
});

describe('the feed of changes', () => {
  it('asks nothing while the tab is hidden, and at once when it is seen again', async () => {
    const id = await staff.launchOne({ debtorName: 'Bruno Dias' }, 31);
    const page = await open();
    let asked = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/events') asked += 1;
    });
    await window.visit(`/dividas/${id}`);
    await until('the feed is asked twice', () => asked >= 2);
    // Chromium without a window shows every tab, so the page is told what a browser would tell it.
    const turn = (to: 'hidden' | 'visible') =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${to}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await turn('hidden');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const before = asked;
    // More than two of its intervals.
    await new Promise((resolve) => setTimeout(resolve, 4_500));
    expect(asked).toBe(before);
    await turn('visible');
    await until('the feed is asked again', () => asked > before);
  });

  it('brings a payment to the screen within three seconds of its approval', async () => {
    const id = await staff.launchOne({ debtorName: 'Carla Reis' }, 41);
    await staff.reaches(id, 'a contact', ({ status }) => status === 'IN_COLLECTION');
    const page = await open();
    await window.visit(`/dividas/${id}`);
    const seen = page
      .getByRole('main')
      .getByText(DEBT_STATUS.PAID.label, { exact: true })
      .first()
      .waitFor({ timeout: 30_000 })
      .then(() => Date.now());
    await staff.call('POST', `/api/sandbox/debts/${id}/pay`);
    await staff.reaches(id, 'the approval', ({ status }) => status === 'PAID');
    const approvedAt = Date.now();
    expect((await seen) - approvedAt).toBeLessThan(TO_PIXEL_MS);
  });
});
