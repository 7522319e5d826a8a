import { afterEach, describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { startBrowser } from '../../testing/browser.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { collector, sent, startHeldApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { PHONE, violations } from '../../testing/pages.ts';
import { until } from '../../testing/poll.ts';

const app = await opened(startHeldApp());
const browser = await opened(startBrowser());
const client = collector(await app.newClient());
let context: BrowserContext | undefined;
afterEach(async () => {
  await context?.close();
  context = undefined;
});

async function openPage(url: string): Promise<Page> {
  context = await browser.newContext(PHONE);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Launches debts of one person, and waits for the message that speaks of all of them. */
async function contacted(count: number, n: number): Promise<{ ids: string[]; link: string; text: string }> {
  const person = { debtorPhone: '+5511980009000', debtorCpf: cpfOf(300_000_000 + n), debtorName: 'Maria da Silva' };
  const inputs = Array.from({ length: count }, (_, index) =>
    debtInput(n + index, { ...person, originalAmount: 100 + index, dueDate: `2026-10-0${index + 1}` }),
  );
  const { debts } = await client.launch(inputs);
  const first = await Promise.any(debts.map(({ id }) => client.contacted(id)));
  const text: string = sent(first, 'collection')[0]?.['text'];
  const link = /https?:\/\/\S+\/p\/\S+/.exec(text)?.[0] ?? '';
  return { ids: debts.map(({ id }) => id), link: link.replace(/^https?:\/\/[^/]+/, app.url), text };
}

describe('the page of a person with several debts', () => {
  it('has one code for each debt, and shows a payment without being loaded again', async () => {
    const { ids, link, text } = await contacted(3, 500);
    expect(text).toContain('3 pagamentos em aberto');
    const page = await openPage(link);
    expect(await page.textContent('h1')).toBe('3 pagamentos em aberto');
    expect(await page.textContent('.amount')).toBe('R$ 303,00');
    const codes = await page.$$eval('textarea', (fields) => fields.map((field) => Reflect.get(field, 'value')));
    expect(new Set(codes).size).toBe(3);
    for (const code of codes) expect(code).toMatch(/^0002/);
    expect(await page.textContent('main')).not.toContain('Maria da Silva');
    expect(await violations(page)).toEqual([]);

    expect((await client.call('POST', `/api/sandbox/debts/${ids[1]}/pay`)).status).toBe(202);
    await page.waitForSelector('text=2 pagamentos em aberto', { timeout: 30_000 });
    expect(await page.textContent('.amount')).toBe('R$ 202,00');
    await page.waitForSelector('text=Pagamento confirmado');
    const outbox = (await client.call('GET', '/api/sandbox/outbox?limit=100')).body.items.filter(
      (item: { purpose: string; text: string }) => item.purpose === 'collection' && item.text === text,
    );
    expect(outbox).toHaveLength(1);
    for (const id of ids) expect((await client.outbox(id))[0].text).toBe(text);
  });

  it('is linked from the page of one of the debts', async () => {
    const { ids, link } = await contacted(2, 520);
    const page = await openPage(`${app.url}/checkout/${ids[0]}`);
    await page.click('text=Ver todas as suas contas');
    const shown = await page.textContent('main');
    await page.goto(link);
    expect(await page.textContent('main')).toBe(shown);
  });

  it('takes a request that counts for all debts, without a script', async () => {
    const { ids, link } = await contacted(2, 530);
    context = await browser.newContext({ ...PHONE, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(link);
    await page.getByRole('button', { name: 'Não reconheço estas cobranças' }).click();
    await page.getByRole('button', { name: 'Não reconheço estas cobranças' }).click();
    expect(await page.textContent('main [role=status]')).toContain('não reconhece esta cobrança');
    await until('both debts are disputed', async () => {
      const debts = await Promise.all(ids.map((id) => client.debt(id)));
      return debts.every(({ status }) => status === 'DISPUTED');
    });
    await page.goto(link);
    expect(await page.textContent('section[aria-labelledby=noted]')).toContain('não reconhece');
    expect(await page.getByRole('button', { name: 'Não reconheço' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Não quero mais mensagens' }).count()).toBe(1);
  });

  it('shows nothing after a wrong person was reported, and does not exist for another address', async () => {
    const { ids, link } = await contacted(2, 540);
    expect((await client.say(ids[0]!, 'Esse número não é dessa pessoa')).status).toBe(202);
    await until('both debts are stopped', async () => {
      const debts = await Promise.all(ids.map((id) => client.debt(id)));
      return debts.every(({ status }) => status === 'STOPPED');
    });
    const page = await openPage(link);
    expect(await page.textContent('main')).toContain('Nada para mostrar');
    expect(await page.textContent('main')).not.toMatch(/R\$|Maria/);
    const unknown = await fetch(`${app.url}/pay/${ids[0]}`);
    expect(unknown.status).toBe(404);
  });
});
