import { afterEach, describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { startBrowser } from '../../testing/browser.ts';
import { collector, startHeldApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { violations as axeViolations } from '../../testing/pages.ts';
import { until } from '../../testing/poll.ts';

const app = await opened(startHeldApp());
const browser = await opened(startBrowser());
const client = await app.newClient();
const staff = collector(client);
let context: BrowserContext | undefined;
afterEach(async () => {
  await context?.close();
  context = undefined;
});

/** A phone with large text, and no script at all. */
async function openPage(path: string): Promise<Page> {
  context = await browser.newContext({
    viewport: { width: 320, height: 640 },
    locale: 'pt-BR',
    javaScriptEnabled: false,
    bypassCSP: true,
  });
  const page = await context.newPage();
  await page.goto(`${app.url}${path}`);
  return page;
}

/**
 * What axe finds on a page as it stands, also on the answer to a form, in both colour schemes. It runs on a copy, because
 * the page is used without scripts.
 */
async function violations(page: Page): Promise<string[]> {
  const body = await page.content();
  const checking = await browser.newContext({ viewport: { width: 320, height: 640 }, locale: 'pt-BR' });
  try {
    const copy = await checking.newPage();
    await copy.route(page.url(), (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
    await copy.goto(page.url());
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await copy.emulateMedia({ colorScheme });
      if (await copy.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push('scrolls sideways');
      found.push(...(await axeViolations(copy)).map((one) => `${colorScheme}: ${one}`));
    }
    return found;
  } finally {
    await checking.close();
  }
}

interface Contacted {
  readonly id: string;
  readonly cpf: string;
  readonly path: string;
}

async function contacted(n: number): Promise<Contacted> {
  const id = await staff.launchOne({ debtorName: 'Lia Prado', debtorPhone: `+551198002${1000 + n}` }, n);
  const debt = await staff.contacted(id);
  const { body } = await client.call('GET', `/api/debts/${id}`);
  return { id, cpf: debt.debtorCpf, path: new URL(body.rightsUrl).pathname };
}

describe('the page of rights', () => {
  it('is reached from the debtor’s page, opened by four digits and used without a script on a small phone', async () => {
    const { id, cpf, path } = await contacted(700);
    const page = await openPage(`/checkout/${id}`);
    await page.getByRole('link', { name: 'Ver os seus dados e os seus direitos' }).click();
    expect(new URL(page.url()).pathname).toBe(path);
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Os 4 últimos números do seu CPF').fill('abcd');
    await page.getByRole('button', { name: 'Abrir' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('não estão certos');
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Os 4 últimos números do seu CPF').fill(cpf.slice(-4));
    await page.getByRole('button', { name: 'Abrir' }).click();
    expect(await page.textContent('main')).toContain('Olá, Lia');
    expect(await page.textContent('main')).not.toContain(cpf);
    expect(await violations(page)).toEqual([]);
    // The contact is there with a rule that allowed it and the law behind it.
    const contacts = page.locator('section', { has: page.getByRole('heading', { name: 'As mensagens' }) });
    const said = await contacts.textContent();
    expect(said).toContain('A empresa escreveu por WhatsApp');
    expect(said).toContain('No máximo 1 contato de cobrança por dia');
    expect(said).toContain('Código de Defesa do Consumidor');

    await page.getByLabel('O que houve').fill('Esta conta não é minha dívida, já foi cancelada.');
    await page.getByLabel(/^Arquivo/).setInputFiles({
      name: 'prova.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7 prova'),
    });
    await page.getByRole('button', { name: 'Enviar' }).click();
    expect(await page.getByRole('status').textContent()).toMatch(/PD-\d{4}-/);
    expect(await violations(page)).toEqual([]);
    await until('the debt is disputed', async () => (await staff.debt(id)).status === 'DISPUTED');
    const [request] = (await client.call('GET', `/api/rights-requests?debtId=${id}`)).body.items;
    expect(request).toMatchObject({ kind: 'dispute', file: { contentType: 'application/pdf' } });

    await page.getByLabel('Não antes das').selectOption('12:00');
    await page.getByLabel('Não depois das').selectOption('10:00');
    await page.getByRole('button', { name: 'Salvar a escolha' }).click();
    expect(await page.getByRole('alert').textContent()).not.toBe('');
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Não antes das').selectOption('10:00');
    await page.getByLabel('Não depois das').selectOption('12:00');
    for (const day of ['segunda', 'quarta', 'sexta']) await page.getByLabel(day).uncheck();
    await page.getByRole('button', { name: 'Salvar a escolha' }).click();
    expect(await page.textContent('main')).toContain('A sua escolha agora: terça, quinta, das 10h às 12h.');

    await client.call('POST', `/api/rights-requests/${request.id}/answer`, {
      text: 'Você tem razão: a conta foi cancelada.',
      outcome: 'granted',
    });
    await page.reload();
    expect(await page.textContent('main')).toContain('Você tem razão: a conta foi cancelada.');
    expect(await violations(page)).toEqual([]);
  });

  it('ends for a stranger, whose phone is used no more for that person by any client', async () => {
    const { id, path } = await contacted(720);
    const page = await openPage(path);
    const digits = page.getByLabel('Os 4 últimos números do seu CPF');
    while ((await digits.count()) > 0) {
      await digits.fill('abcd');
      await page.getByRole('button', { name: 'Abrir' }).click();
    }
    // After five tries the page is shut for the day, and still has the way out.
    expect(await page.getByRole('alert').textContent()).toContain('5 vezes');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Isto não é meu' }).click();
    expect(await page.textContent('main')).toMatch(/PD-\d{4}-/);
    expect(await violations(page)).toEqual([]);
    expect(await namesAnybody(page)).toBe(false);
    await until('the debt is stopped', async () => (await staff.debt(id)).status === 'STOPPED');
    // The gate of every client asks for these, whoever has written them.
    const rows = await app.query<{ kind: string }>('select kind from suppressions where client_id = $1', [client.id]);
    expect(rows).toEqual([{ kind: 'wrong_person' }]);
    expect((await fetch(`${app.url}${path}`)).status).toBe(404);
  });

  it('is named by the answer to a question about data', async () => {
    const { id, path } = await contacted(740);
    await staff.say(id, 'Como conseguiram meu número?');
    const reply = await until('the answer leaves', async () => {
      const items: { purpose: string; text: string }[] = await staff.outbox(id);
      return items.find(({ purpose }) => purpose === 'reply') ?? null;
    });
    expect(reply.text).toContain(path);
  });
});

/** Whether the last page names the person or the creditor. */
const namesAnybody = async (page: Page): Promise<boolean> => /Lia|Escola/.test((await page.textContent('body')) ?? '');
