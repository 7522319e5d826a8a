import { afterEach, describe, expect, it } from '@jest/globals';
import jsqr from 'jsqr';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { startBrowser } from '../../testing/browser.ts';
import { opened } from '../../testing/opened.ts';
import { PHONE, violations } from '../../testing/pages.ts';
import { until } from '../../testing/poll.ts';
import { type Debtor, newDebt, payInSandbox, readPayment, startPaymentsApp, timelineOf } from '../payments/support.ts';

// The module is CommonJS with a `default` member, so Node's import differs from its types.
const readQr = (jsqr as unknown as { default: typeof jsqr.default }).default ?? jsqr;

const app = await opened(startPaymentsApp());
const browser = await opened(startBrowser());
let context: BrowserContext | undefined;

afterEach(async () => {
  await context?.close();
  context = undefined;
});

async function open(debtor: Debtor, options: BrowserContextOptions = {}): Promise<Page> {
  context = await browser.newContext({ ...PHONE, ...options });
  const page = await context.newPage();
  await page.goto(`${app.url}/checkout/${debtor.id}`);
  return page;
}

const intentsOf = async (debtor: Debtor): Promise<unknown[]> =>
  (await timelineOf(debtor)).filter(({ kind }) => kind === 'message_received').map(({ intent }) => intent);

describe('the debtor’s page on a phone', () => {
  it('shows the creditor, the amount, and a code that a bank can read', async () => {
    const debtor = await newDebt(app, { debtorName: 'Maria Aparecida da Silva', originalAmount: 1234.5 });
    const requests: string[] = [];
    context = await browser.newContext(PHONE);
    const page = await context.newPage();
    page.on('request', (request) => requests.push(request.url()));
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    const answer = await page.goto(`${app.url}/checkout/${debtor.id}`);

    const headers = answer?.headers() ?? {};
    expect(headers['content-security-policy']).toMatch(/default-src 'none'/);
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'cache-control': 'no-store',
    });
    const text = await page.textContent('body');
    for (const shown of [
      'Escola Aurora',
      'M*** S***',
      'R$ 1.234,50',
      '05/10/2026',
      'DOCUMENTO DE TESTE, SEM VALOR',
      'LGPD',
    ]) {
      expect(text).toContain(shown);
    }
    for (const hidden of ['Maria', 'Silva', '+55', 'Aparecida']) expect(text).not.toContain(hidden);

    const { brCode } = await readPayment(debtor);
    expect(await page.inputValue('#code')).toBe(brCode);
    await keepPicture(page);
    await page.getByText('Pagar de outro aparelho').click();
    const shot = await page.screenshot({ fullPage: true });
    const { data, width, height } = PNG.sync.read(shot);
    expect(readQr(new Uint8ClampedArray(data), width, height)?.data).toBe(brCode);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);

    expect(await violations(page)).toEqual([]);
    expect(requests.every((url) => url.startsWith(`${app.url}/`))).toBe(true);
    expect(errors).toEqual([]);
  });

  it('is no wider than the screen with the longest text about a consent', async () => {
    const owner = await app.newClient();
    await owner.call('PATCH', '/api/onboarding/me', { lawfulGround: 'consent' });
    const debtor = await newDebt(app, { consentAt: '2025-03-10', consentSource: 'W'.repeat(200) }, owner);
    const page = await open(debtor);
    expect(await page.textContent('footer')).toContain('W'.repeat(200));
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await violations(page)).toEqual([]);
  });

  it.each([
    ['a phone', { viewport: { width: 360, height: 640 } }, false],
    ['a computer', { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 }, true],
  ])('on %s has the button that copies in sight, also at its end', async (_, options, hasQr) => {
    const page = await open(await newDebt(app), options);
    const inSight = `(() => {
      const { top, bottom } = document.getElementById('copy').getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    })()`;
    expect(await page.evaluate(inSight)).toBe(true);
    expect(await page.locator('.qr').isVisible()).toBe(hasQr);
    await page.getByRole('heading', { name: 'Outra situação?' }).scrollIntoViewIfNeeded();
    expect(await page.evaluate(inSight)).toBe(true);
  });

  it('copies the code and confirms it', async () => {
    const debtor = await newDebt(app);
    const page = await open(debtor, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.click('#copy');
    await page.getByText('Código copiado').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe((await readPayment(debtor)).brCode);
  });

  it('changes to paid without a reload', async () => {
    const debtor = await newDebt(app);
    const page = await open(debtor);
    await page.evaluate('globalThis.neverReloaded = true');
    await payInSandbox(debtor);
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor({ timeout: 45_000 });
    expect(await page.evaluate('globalThis.neverReloaded')).toBe(true);
    expect(await page.textContent('#live')).toBe('Pagamento confirmado');
    expect(await page.locator('#code').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  it.each([
    ['Já paguei', 'already_paid', 'Obrigado por avisar', 'avisou que já pagou'],
    ['Não reconheço esta cobrança', 'dispute', 'não reconhece esta cobrança', 'não reconhece esta cobrança'],
    ['Não quero mais mensagens', 'opt_out', 'não receberá mais mensagens', 'não as receberá'],
  ])('has a button, and says what it did in its place: %s', async (label, intent, said, noted) => {
    const debtor = await newDebt(app);
    const page = await open(debtor);
    await page.getByRole('button', { name: label }).click();
    if (intent !== 'already_paid') {
      expect(await violations(page)).toEqual([]);
      expect(await intentsOf(debtor)).toEqual([]);
      await page.getByRole('textbox').fill('Nunca morei nesta cidade & não sei de nada');
      await page.getByRole('button', { name: label }).click();
    }
    await page.waitForURL(/aviso=/);
    expect(await page.textContent('main .notice')).toContain(said);
    await page.reload();
    expect(await page.locator('main [role=status].notice').count()).toBe(0);
    expect(await page.textContent('section[aria-labelledby=noted]')).toContain(noted);
    expect(await page.getByRole('button', { name: label }).count()).toBe(0);
    await until('it is understood', async () => (await intentsOf(debtor)).includes(intent));
    await page.reload();
    expect(await page.getByRole('button', { name: label }).count()).toBe(0);
    expect(await page.textContent('h1')).toBe(intent === 'dispute' ? 'Cobrança em análise' : 'Pague com Pix');
    expect(await violations(page)).toEqual([]);
    const received = (await timelineOf(debtor)).find(({ kind }) => kind === 'message_received');
    expect(String(received?.['text']).includes('Nunca morei')).toBe(intent !== 'already_paid');
  });

  it('has a payment button in the sandbox', async () => {
    const debtor = await newDebt(app);
    const page = await open(debtor);
    await page.getByRole('button', { name: 'Pagar (teste)' }).click();
    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor({ timeout: 45_000 });
  });
});

describe('the debtor’s page without JavaScript', () => {
  it('shows the code, takes a button, and shows the confirmation when it is loaded again', async () => {
    const debtor = await newDebt(app);
    const page = await open(debtor, { javaScriptEnabled: false });
    expect(await page.locator('#copy').isVisible()).toBe(false);
    expect(await page.inputValue('#code')).toBe((await readPayment(debtor)).brCode);
    await page.getByRole('button', { name: 'Já paguei' }).click();
    await page.getByText('Obrigado por avisar').first().waitFor();
    // The page that asks for a confirmation has a button of the same name, and a click does not wait for the next page.
    const dispute = page.getByRole('button', { name: 'Não reconheço esta cobrança' });
    const back = page.getByRole('link', { name: 'Voltar sem confirmar' });
    await dispute.click();
    await back.click();
    await back.waitFor({ state: 'detached' });
    await dispute.click();
    await back.waitFor();
    await dispute.click();
    // Without a script the page shows what the workflow has done when it is loaded again.
    const heading = page.getByRole('heading', { name: 'Cobrança em análise' });
    await until('looked at', async () => {
      if (await heading.isVisible()) return true;
      await page.reload();
      return null;
    });
    await payInSandbox(debtor);
    await until('paid', async () => {
      await page.reload();
      return (await page.textContent('h1')) === 'Pagamento confirmado';
    });
  });
});

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('an address that leads nowhere', () => {
  it.each([
    ['/checkout/0000', 'Este link não está completo'],
    [`/checkout/${UNKNOWN}`, 'Este link não está completo'],
    [`/checkout/${UNKNOWN}/dispute`, 'Este link não está completo'],
    [`/pay/${UNKNOWN}/opt-out`, 'Este link não está completo'],
    ['/pay/desconhecida', 'Este link não está completo'],
    ['/p/curto', 'Este link não está completo'],
    ['/verify/QT-2026-AAAAAAAAAAAAA?sig=estragada', 'Este link não está completo'],
    ['/verify/QT-2026', 'Este link não está completo'],
    ['/api/receipts/download/QT-2026-AAAAAAAAAAAAA?sig=estragada', 'Este link não está completo'],
    ['/api/receipts/download/QT-2026?sig=', 'Este link não está completo'],
    ['/api/messaging/email-unsubscribe?message=1', 'Este link não está completo'],
    ['/checkout', 'Página não encontrada'],
    ['/checkout/%E0%A4%A', 'Página não encontrada'],
    ['/campanha/importar', 'Página não encontrada'],
  ])('is a page in Portuguese for a browser, and a problem for a program: %s', async (path, heading) => {
    const page = await fetch(`${app.url}${path}`, { headers: { accept: BROWSER } });
    const text = await page.text();
    expect([page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('vary')).toContain('Accept');
    expect(text).toContain(`<h1>${heading}</h1>`);
    expect(text).not.toMatch(/not_found|signature|Código para o suporte/);
    for (const accept of ['*/*', 'application/json']) {
      const problem = await fetch(`${app.url}${path}`, { headers: { accept } });
      expect([problem.status, problem.headers.get('content-type')]).toEqual([page.status, 'application/problem+json']);
    }
  });

  it('can be read on a phone', async () => {
    context = await browser.newContext(PHONE);
    const page = await context.newPage();
    await page.goto(`${app.url}/checkout/0000`);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await violations(page)).toEqual([]);
  });

  it('of the API is a problem for everybody', async () => {
    for (const path of ['/api/nothing', '/api/debts']) {
      const answer = await fetch(`${app.url}${path}`, { headers: { accept: BROWSER }, method: 'PUT' });
      expect([path, answer.headers.get('content-type')]).toEqual([path, 'application/problem+json']);
    }
  });
});

/** `CHECKOUT_SCREENSHOT=file.png` stores the first view of a phone, for the documentation and for inspection. */
async function keepPicture(page: Page): Promise<void> {
  const path = process.env['CHECKOUT_SCREENSHOT'];
  if (path === undefined) return;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path });
  await page.setViewportSize(PHONE.viewport);
}
